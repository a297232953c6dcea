package org.beefs.cli.bench;

import java.io.PrintWriter;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.common.config.ByteSize;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares directories by what bytes cost. */
@Command(
        name = "bytes",
        mixinStandardHelpOptions = true,
        description = {
            "A large file, written, read and mapped, in turn and anywhere.",
            "",
            "In each DIR it makes a file (Make), and then reads and writes as many bytes in blocks of 1 MiB, 128 KiB and 4 KiB, from one end to the "
                    + "other and at random places, by one job and by two that share the work, and through a mapping. Nothing is "
                    + "synced, and caches are left as they are: choose a SIZE above the memory to measure disks. The directories take "
                    + "turns, after one round that only warms up."
        },
        footer = {"Example:", "  beefs bench bytes /var/tmp hive --size 1G"})
public final class BytesCommand extends FileBenchmark {
    private static final long MOST = 1L << 40;

    @Option(
            names = "--size",
            paramLabel = "SIZE",
            description = "Of the file, a multiple of 2 MiB. Default: ${DEFAULT-VALUE}")
    private String size = "256M";

    @Override
    Workload workload(PrintWriter err) {
        return new BytesWorkload(bytes());
    }

    private long bytes() {
        try {
            long bytes = ByteSize.parse(size).bytes();
            if (bytes >= BytesWorkload.UNIT && bytes <= MOST && bytes % BytesWorkload.UNIT == 0) {
                return bytes;
            }
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, "--size: " + e.getMessage());
        }
        throw new CommandFailure(ExitCode.USAGE, "--size is a multiple of 2 MiB, from 2M to 1T");
    }
}
