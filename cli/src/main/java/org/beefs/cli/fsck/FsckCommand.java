package org.beefs.cli.fsck;

import java.util.concurrent.Callable;
import org.beefs.cli.option.QueenBeeOption;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.state.Reasons;
import org.beefs.cli.terminal.Terminal;
import org.beefs.cli.view.Output;
import org.beefs.common.config.ConfigurationException;
import org.beefs.common.posix.PosixException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Checks a hive. Its exit codes are those of fsck(8), not those of the other commands. */
@Command(
        name = "fsck",
        mixinStandardHelpOptions = true,
        exitCodeOnInvalidInput = FsckCommand.USAGE,
        exitCodeOnExecutionException = FsckCommand.NOT_CHECKED,
        description = {
            "Checks a hive while it works: names and link counts, forgotten files, and for each file whether its replicas are where they "
                    + "should be, and as they should be. Each thing that is wrong is told in a sentence.",
            "",
            "Without --repair nothing is changed. With it, what can be put right without losing anything is: counts, names in /lost+found "
                    + "for what cannot be reached, secondary replicas that are missing or wrong, replicas of removed files. What it leaves, "
                    + "a person has to decide about.",
            "",
            "Replicas on desktops that are away, or go away meanwhile, are not checked; it says so."
        },
        exitCodeListHeading = "%nExit codes, as of fsck(8):%n",
        exitCodeList = {
            "0:nothing is wrong",
            "1:what was wrong was repaired",
            "4:something is wrong and left as it is; 5 when something else was repaired",
            "8:the hive could not be checked, or not to its end; what was found until then is told",
            "16:the command line is wrong"
        },
        footer = {
            "",
            "Examples:",
            "  beefs fsck",
            "  beefs fsck --repair --content      also reads all replicas and compares them",
            "  beefs fsck --json | jq -r '.findings[].sentence'"
        })
public final class FsckCommand implements Callable<Integer> {
    /** As fsck(8). */
    static final int USAGE = 16;

    static final int NOT_CHECKED = 8;

    @Mixin
    private QueenBeeOption queenBee = new QueenBeeOption();

    @Option(names = "--repair", description = "Repair what can be repaired without losing anything.")
    private boolean repair;

    @Option(names = "--content", description = "Read the content of all replicas, and compare those of one version.")
    private boolean content;

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() {
        try (Fsck fsck = open()) {
            run(fsck);
            FsckReport report = fsck.report();
            show(report);
            return report.exitCode();
        } catch (PosixException e) {
            throw new CommandFailure(NOT_CHECKED, "the hive could not be checked: " + Reasons.of(e));
        } catch (Error e) { // Java would end with 1, which means that all was repaired
            throw new CommandFailure(NOT_CHECKED, "the hive could not be checked to its end: " + e);
        }
    }

    private void run(Fsck fsck) {
        try {
            fsck.run(output.err(), Terminal.hasMessages());
        } catch (PosixException e) {
            FsckReport begun = fsck.report();
            if (!begun.isBegun()) {
                throw e;
            }
            show(begun);
            throw new CommandFailure(NOT_CHECKED, "the hive could not be checked to its end: " + Reasons.of(e));
        }
    }

    /** What cannot be shown must not pass for repaired. */
    private void show(FsckReport report) {
        try {
            output.show(report);
        } catch (CommandFailure e) {
            throw new CommandFailure(NOT_CHECKED, Reasons.of(e));
        }
    }

    private Fsck open() {
        try {
            return Fsck.of(queenBee.address(), queenBee.key(), repair, content);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(USAGE, Reasons.of(e));
        } catch (CommandFailure | ConfigurationException e) {
            throw new CommandFailure(NOT_CHECKED, Reasons.of(e));
        }
    }
}
