package org.beefs.cli.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.beefs.cli.CommandFailure;
import org.beefs.cli.ExitCode;
import org.beefs.cli.state.InterruptAtExit;
import org.beefs.cli.state.Reasons;
import org.beefs.cli.state.WritableFolder;
import org.beefs.cli.view.Json;
import org.beefs.common.time.SystemClock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What benchmarks have in common that copy a source tree into directories which take turns. */
abstract class TreeBenchmark implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "SOURCE",
            description = "Folder that is copied, such as an unpacked source package.")
    private Path source = Path.of("");

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "DIR",
            description = "Directories to compare; ratios are to the first one.")
    private List<Path> directories = List.of();

    @Option(names = "--rounds", paramLabel = "N", description = "How often to measure. Default: ${DEFAULT-VALUE}")
    private int rounds = 5;

    @Option(names = "--json", description = "Print JSON for scripts, with every single measurement.")
    private boolean json;

    /** What is measured, in its order. */
    abstract List<Phase> phases();

    /** How {@link Phase#COMPILE} builds the copy. */
    abstract BuildCommand build();

    @Override
    public void run() {
        CommandSpec known = Objects.requireNonNull(spec, "picocli sets it before it runs a command");
        PrintWriter out = known.commandLine().getOut();
        PrintWriter err = known.commandLine().getErr();
        if (rounds < 1) {
            throw new ParameterException(known.commandLine(), "--rounds must be 1 or more");
        }
        List<Path> chosen =
                directories.stream().map(WritableFolder::of).distinct().toList();
        SourceTree tree = SourceTree.scan(source);
        BuildCommand build = build();
        AndrewReport report = AndrewReport.of(tree, build, rounds, measure(tree, build, chosen, err));
        out.println(json ? Json.of(report) : report.render().stripTrailing());
        out.flush();
    }

    private Measurements measure(SourceTree tree, BuildCommand build, List<Path> chosen, PrintWriter err) {
        Andrew andrew = new Andrew(new SystemClock(), tree, phases(), build, line -> {
            err.println(line);
            err.flush();
        });
        try (InterruptAtExit _ = new InterruptAtExit()) {
            return andrew.measure(chosen, rounds);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, "the benchmark failed: " + Reasons.of(e));
        } catch (InterruptedException e) {
            throw new CommandFailure(ExitCode.FAILED, "the benchmark was interrupted");
        }
    }
}
