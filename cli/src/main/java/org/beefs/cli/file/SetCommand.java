package org.beefs.cli.file;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.terminal.Terminal;
import org.beefs.cli.view.Json;
import org.beefs.cli.view.Output;
import org.beefs.common.linux.SystemClock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes how a file is replicated. */
@Command(
        name = "set",
        mixinStandardHelpOptions = true,
        description = {
            "Changes how a file is replicated, or what files get that are made in a directory from now on. Only its owner may. "
                    + "With --json it tells what then is set, as beefs get --json does; with --recursive, how many were changed.",
            "",
            "What is in a directory already stays as it is without --recursive. The word default in place of a value has the hive's hold "
                    + "again.",
            "",
            "What is set on a file goes with it when a program saves by renaming a new file over it, as most editors do: the new one has "
                    + "what its directory gives. So set on the directory what is to last.",
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is so",
            "1:the path is in no hive, or is not yours; or some of what is below it is not changed"
        },
        footer = {
            "",
            "Examples:",
            "  beefs set hive/thesis --replicas 4 --coherence 5s",
            "  beefs set hive/projects --recursive --replicas 4 --coherence 5s",
            "  beefs set hive/thesis --replicas default",
            "  beefs set hive/ledger.db --p-factor 2    close and fsync return when two desktops have the content on disk"
        })
public final class SetCommand implements Callable<Integer> {
    @Parameters(paramLabel = "PATH", description = "A file or directory in a mount.")
    private Path path = Path.of("");

    @Option(
            names = "--replicas",
            paramLabel = "N",
            description = "Replicas altogether, 1 to 16, or " + WantedSettings.DEFAULT + ".")
    private @Nullable String replicas;

    @Option(
            names = "--coherence",
            paramLabel = "TIME",
            description = "How long after a close other replicas than the primary may stay stale: 30s, 5m, 24h, or "
                    + WantedSettings.DEFAULT + ".")
    private @Nullable String coherence;

    @Option(
            names = "--p-factor",
            paramLabel = "N",
            description = "Desktops that must have the content on disk when close or fsync returns, 0 to 16, or "
                    + WantedSettings.DEFAULT + ". 0: close waits for none, fsync for one. Counts from the next open.")
    private @Nullable String pFactor;

    @Option(
            names = {"-r", "--recursive"},
            description = "Also change all files and directories below PATH.")
    private boolean recursive;

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() {
        WantedSettings wanted = new WantedSettings(replicas, coherence, pFactor);
        if (recursive) {
            TreeReport report =
                    new TreeSettings(wanted).run(path, output.err(), Terminal.hasMessages(), new SystemClock());
            output.show(report);
            return report.unchanged() == 0 ? 0 : ExitCode.FAILED;
        }
        wanted.applyTo(path);
        if (output.isJson()) {
            output.say(Json.of(FileSettings.of(path)));
        }
        return 0;
    }
}
