package org.beefs.cli.bench;

import java.nio.file.Path;
import java.util.List;
import org.beefs.cli.CommandFailure;
import org.beefs.cli.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
public final class SmallFilesCommand extends Benchmark {
    private static final int MOST = 1_000_000;

    @Parameters(
            arity = "1..*",
            paramLabel = "DIR",
            description = "Directories to compare; ratios are to the first one.")
    private List<Path> directories = List.of();

    @Option(names = "--files", paramLabel = "N", description = "Files in each directory. Default: ${DEFAULT-VALUE}")
    private int files = 3000;

    @Override
    List<Path> directories() {
        return directories;
    }

    @Override
    Workload workload() {
        if (files < 1 || files > MOST) {
            throw new CommandFailure(ExitCode.USAGE, "--files is from 1 to " + MOST);
        }
        return new SmallFilesWorkload(files);
    }
}
