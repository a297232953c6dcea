package org.beefs.cli.bench;

import org.beefs.cli.CommandFailure;
import org.beefs.cli.ExitCode;
import org.beefs.common.config.ByteSize;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares directories by what bytes cost. */
@Command(
        name = "bytes",
        mixinStandardHelpOptions = true,
        description = {
            "A large file, written and read in turn and anywhere.",
            "",
            "In each DIR it writes a new file in pieces of 1 MiB (Write), reads it likewise (Read), and then reads (Random read) and writes "
                    + "(Random write) as many bytes in blocks of 4 KiB, anywhere in it. Nothing is synced, and caches are left as they are: "
                    + "choose a SIZE above the memory to measure disks. The directories take turns, after one round that only warms up."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:everything was measured",
            "1:a phase failed",
            "2:wrong arguments",
            "5:a folder cannot be used"
        },
        footer = {"", "Example:", "  beefs bench bytes /var/tmp hive --size 1G"})
public final class BytesCommand extends FileBenchmark {
    private static final long MOST = 1L << 40;

    @Option(names = "--size", paramLabel = "SIZE", description = "Of the file, in whole MiB. Default: ${DEFAULT-VALUE}")
    private String size = "256M";

    @Override
    Workload workload() {
        return new BytesWorkload(bytes());
    }

    private long bytes() {
        try {
            long bytes = ByteSize.parse(size).bytes();
            if (bytes >= BytesWorkload.PIECE && bytes <= MOST && bytes % BytesWorkload.PIECE == 0) {
                return bytes;
            }
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, "--size: " + e.getMessage());
        }
        throw new CommandFailure(ExitCode.USAGE, "--size is whole MiB, from 1M to 1T");
    }
}
