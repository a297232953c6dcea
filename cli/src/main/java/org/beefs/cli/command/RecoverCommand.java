package org.beefs.cli.command;

import java.util.ArrayList;
import java.util.List;
import org.beefs.cli.configuration.HiveSetup;
import org.beefs.cli.option.StateOption;
import org.beefs.cli.option.WithoutOption;
import org.beefs.cli.process.DaemonStopper;
import org.beefs.cli.process.Hive;
import org.beefs.cli.process.HiveLock;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.queen.RecoveryDrill;
import org.beefs.cli.queen.RunningQueenBee;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.terminal.Terminal;
import org.beefs.cli.view.DaemonProgress;
import org.beefs.cli.view.Output;
import org.beefs.cli.view.RecoveryLines;
import org.beefs.cli.view.Report;
import org.beefs.cli.view.StatusCollector;
import org.beefs.cli.view.StatusReport;
import org.beefs.common.linux.SystemClock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Rebuilds the queen-bee of a hive that {@code up} has made. */
@Command(
        name = "recover",
        mixinStandardHelpOptions = true,
        description = {
            "Rebuilds the queen-bee of a hive on this machine whose data is lost, from what its honeycombs know, and brings the hive up.",
            "",
            "Names, attributes, links and special files come back as they were up to a second before the loss. What was found, and how "
                    + "conflicts were decided, is told here and in queenbee/recovery.txt. Programs that wait for the hive go on.",
            "",
            "All honeycombs must answer before that, and all that the hive knows must be on this machine, but for those of desktops that were "
                    + "declared lost, or emptied and away for longer than the grace time: otherwise the queen-bee names them and ends. With --serve-read-only what the others know can be read meanwhile: the queen-bee "
                    + "goes on by herself when the last one is there.",
            "",
            "If the queen-bee's folder is damaged and not gone, or an older copy of it was put back, move it away before.",
            "",
            "With --drill nothing is rebuilt: the running queen-bee proves that it could be. She reads what all honeycombs that are awake know, "
                    + "puts the namespace together in memory, and compares it with the living one, which goes on meanwhile."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:everything runs; with --drill: all would be back",
            "1:something could not be started, or is started by units; with --drill: not all would be back, or that was not found out",
            "3:a configuration file is wrong",
            "4:an address is taken",
            "5:a folder cannot be used, or still holds data",
            "7:there is no hive; with --drill: the queen-bee does not run here",
            "130:ended by Ctrl-C; with --drill: the drill goes on"
        },
        footer = {
            "",
            "Examples:",
            "  beefs recover --state /var/lib/hive",
            "  beefs recover --serve-read-only",
            "  beefs recover --drill"
        })
public final class RecoverCommand implements Runnable {
    @Mixin
    private StateOption state = new StateOption();

    @Option(
            names = "--serve-read-only",
            description =
                    "Serve what the honeycombs know that can be reached, to be read only, until all have answered.")
    private boolean serveReadOnly;

    @Mixin
    private WithoutOption without = new WithoutOption();

    @Option(
            names = "--drill",
            description = "Prove that it can be done, and do nothing else. Run it where the queen-bee runs.")
    private boolean drill;

    @Option(names = "--cancel", description = "With --drill: stop the one that is under way.")
    private boolean cancel;

    @Mixin
    private Output output = new Output();

    @Override
    public void run() {
        checkOptions();
        if (!drill) {
            recover();
            return;
        }
        RecoveryDrill wanted = new RecoveryDrill(RunningQueenBee.of(state), output);
        if (cancel) {
            wanted.cancel();
        } else {
            wanted.run();
        }
    }

    private void checkOptions() {
        if (drill && serveReadOnly) {
            throw new CommandFailure(ExitCode.USAGE, "--drill serves nothing; leave --serve-read-only out");
        }
        if (drill && !without.desktops().isEmpty()) {
            throw new CommandFailure(ExitCode.USAGE, "--drill asks who is awake; leave --without out");
        }
        if (!drill && cancel) {
            throw new CommandFailure(ExitCode.USAGE, "--cancel is for --drill");
        }
    }

    private void recover() {
        HiveFolder folder = state.existingHive();
        Units.requireNone(
                folder,
                state.isTyped(),
                "recover",
                "systemctl start beefs-recovery  (docs/OPERATIONS.md, Rebuilding the queen-bee)");
        try (HiveLock _ = HiveLock.take(folder)) {
            if (DaemonStopper.living(folder.queenBee()).isPresent()) {
                throw new CommandFailure(ExitCode.FAILED, "the queen-bee runs; there is nothing to recover");
            }
            HiveSetup setup = HiveSetup.of(folder);
            List<String> honeycombs = setup.honeycombs();
            if (honeycombs.isEmpty()) {
                throw new CommandFailure(
                        ExitCode.FAILED,
                        "no honeycomb of the hive is on this machine: run  beefs queenbee --recover --honeycombs "
                                + "HOST:PORT,…  with those of its desktops");
            }
            setup.restoreQueenBee();
            List<String> told = recover(new Hive(folder, System.getenv()), honeycombs);
            output.show(new Recovered(told, StatusCollector.collect(folder)));
        }
    }

    private List<String> options(List<String> honeycombs) {
        List<String> options = new ArrayList<>(List.of("--honeycombs", String.join(",", honeycombs)));
        if (serveReadOnly) {
            options.add("--serve-read-only");
        }
        if (!without.desktops().isEmpty()) {
            options.addAll(List.of("--without", String.join(",", without.desktops())));
        }
        return options;
    }

    private List<String> recover(Hive hive, List<String> honeycombs) {
        try (DaemonProgress starts = output.starts(honeycombs.size() + 1);
                RecoveryLines lines =
                        new RecoveryLines(output.progress(), output.err(), Terminal.hasMessages(), new SystemClock())) {
            hive.recover(options(honeycombs), starts, lines);
            return lines.told();
        }
    }

    /**
     * What runs now.
     *
     * @param recovery what it has told, which people have seen already
     */
    private record Recovered(List<String> recovery, StatusReport status) implements Report {
        @Override
        public String render() {
            return "\n" + status.render();
        }
    }
}
