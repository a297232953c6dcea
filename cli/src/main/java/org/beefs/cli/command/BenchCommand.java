package org.beefs.cli.command;

import java.util.Objects;
import org.beefs.cli.bench.AndrewCommand;
import org.beefs.cli.bench.BytesCommand;
import org.beefs.cli.bench.SmallFilesCommand;
import org.beefs.cli.bench.TreeCommand;
import org.beefs.cli.bench.queen.QueenCommand;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The benchmarks. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "BENCHMARK",
        subcommands = {
            AndrewCommand.class,
            TreeCommand.class,
            SmallFilesCommand.class,
            BytesCommand.class,
            QueenCommand.class
        },
        description = {
            "Measures directories against each other, such as a hive and the local disk; and the queen-bee by herself.",
            "",
            "Benchmarks of directories take turns between them, so that what changes on the machine touches all alike."
        },
        footer = {
            "",
            "Examples:",
            "  beefs bench andrew hello-2.10 /var/tmp hive",
            "  beefs bench smallfiles /var/tmp hive",
            "  beefs bench queen"
        })
public final class BenchCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                Objects.requireNonNull(spec, "picocli sets it before it runs a command")
                        .commandLine(),
                "bench needs the name of a benchmark");
    }
}
