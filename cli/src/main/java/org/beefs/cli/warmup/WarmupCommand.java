package org.beefs.cli.warmup;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.beefs.cli.process.InterruptibleWait;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.terminal.Terminal;
import org.beefs.cli.view.Output;
import org.beefs.common.linux.SystemClock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Brings files to a desktop. */
@Command(
        name = "warmup",
        mixinStandardHelpOptions = true,
        description = {
            "Brings files to this desktop, so that they are read at the speed of its disk: each file at or below PATH gets a current "
                    + "replica on the desktop in whose mount PATH is.",
            "",
            "A file has no more replicas for that than before: one elsewhere goes when the one here is current, and with one replica only the "
                    + "file moves. To have it on more desktops, raise --replicas with beefs set first. It needs the right to write the "
                    + "file. What is here already is left alone; interrupted, run it again to go on."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all files are here",
            "1:some are not: they are being written, the desktop has no room or is paused, nobody is awake who has them; or a path is "
                    + "in no hive",
            "130:ended by Ctrl-C"
        },
        footer = {
            "",
            "Examples:",
            "  beefs warmup hive/projects/bridge",
            "  beefs warmup --json hive/models hive/textures | jq .missing"
        })
public final class WarmupCommand implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "PATH", description = "Files and directories in a mount.")
    private List<Path> paths = List.of();

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() {
        Warmup warmup = new Warmup(new SystemClock());
        WarmupReport report = InterruptibleWait.run(
                "run it again to go on", () -> warmup.run(paths, output.err(), Terminal.hasMessages()));
        output.show(report);
        return report.isComplete() ? 0 : ExitCode.FAILED;
    }
}
