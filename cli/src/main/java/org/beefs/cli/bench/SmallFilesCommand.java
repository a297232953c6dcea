package org.beefs.cli.bench;

import org.beefs.cli.CommandFailure;
import org.beefs.cli.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares directories by what names cost. */
@Command(
        name = "smallfiles",
        mixinStandardHelpOptions = true,
        description = {
            "Many empty files, made, looked at, opened and removed.",
            "",
            "In each DIR it makes a folder and in it files that it closes at once (Create), looks at each of them (Stat), opens and closes "
                    + "each for reading (Open) and removes each (Unlink). The directories take turns, after one round that only warms "
                    + "up. Caches are left as they are."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:everything was measured",
            "1:a phase failed",
            "2:wrong arguments",
            "5:a folder cannot be used"
        },
        footer = {"", "Example:", "  beefs bench smallfiles /var/tmp hive"})
public final class SmallFilesCommand extends FileBenchmark {
    private static final int MOST = 1_000_000;

    @Option(names = "--files", paramLabel = "N", description = "Files in each directory. Default: ${DEFAULT-VALUE}")
    private int files = 3000;

    @Override
    Workload workload() {
        if (files < 1 || files > MOST) {
            throw new CommandFailure(ExitCode.USAGE, "--files is from 1 to " + MOST);
        }
        return new SmallFilesWorkload(files);
    }
}
