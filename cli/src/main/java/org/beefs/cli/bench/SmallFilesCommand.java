package org.beefs.cli.bench;

import java.io.PrintWriter;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares directories by what names cost. */
@Command(
        name = "smallfiles",
        mixinStandardHelpOptions = true,
        description = {
            "Many empty files, made, listed, looked at, opened and removed.",
            "",
            "In each DIR it makes files in one folder, closing each at once (Create), lists them with their attributes (List; also cold, after a "
                    + "hive was mounted anew and the kernel's caches were dropped, for which it takes root), looks at each (Stat), "
                    + "opens and closes each for reading (Open) and removes each (Unlink). Then it makes and removes one after the other (Cycle), "
                    + "and the same by two at once, each in a folder of its own (Cycle by 2). The directories take turns, after one "
                    + "round that only warms up."
        },
        footer = {
            "Examples:",
            "  beefs bench smallfiles /var/tmp hive",
            "  beefs bench smallfiles /var/tmp hive --files 100000 --rounds 1     how long a large listing takes"
        })
public final class SmallFilesCommand extends FileBenchmark {
    private static final int MOST = 1_000_000;

    @Option(names = "--files", paramLabel = "N", description = "Files in each directory. Default: ${DEFAULT-VALUE}")
    private int files = 3000;

    @Override
    Workload workload(PrintWriter err) {
        if (files < 1 || files > MOST) {
            throw new CommandFailure(ExitCode.USAGE, "--files is from 1 to " + MOST);
        }
        return new SmallFilesWorkload(files);
    }
}
