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
import org.beefs.cli.view.ProgressBar;
import org.beefs.cli.view.Terminal;
import org.beefs.common.time.Clock;
import org.beefs.common.time.SystemClock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What benchmarks have in common: directories that take turns, and a report. */
abstract class Benchmark implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--rounds", paramLabel = "N", description = "How often to measure. Default: ${DEFAULT-VALUE}")
    private int rounds = 5;

    @Option(names = "--json", description = "Print JSON for scripts, with every single measurement.")
    private boolean json;

    /** Those that are compared. */
    abstract List<Path> directories();

    /** What is done in each. Fails as a command does. */
    abstract Workload workload();

    @Override
    public void run() {
        CommandSpec known = Objects.requireNonNull(spec, "picocli sets it before it runs a command");
        PrintWriter out = known.commandLine().getOut();
        PrintWriter err = known.commandLine().getErr();
        if (rounds < 1) {
            throw new ParameterException(known.commandLine(), "--rounds must be 1 or more");
        }
        List<Path> chosen =
                directories().stream().map(WritableFolder::of).distinct().toList();
        Workload workload = workload();
        BenchReport report = BenchReport.of(workload.subject(), rounds, measure(workload, chosen, err));
        out.println(json ? Json.of(report) : report.render().stripTrailing());
        out.flush();
    }

    private Measurements measure(Workload workload, List<Path> chosen, PrintWriter err) {
        Clock clock = new SystemClock();
        boolean terminal = Terminal.hasMessages();
        int steps = Rounds.phases(workload, chosen.size(), rounds);
        ProgressBar bar = new ProgressBar("bench", steps, err, terminal, clock);
        Rounds turns = new Rounds(clock, workload, line -> {
            if (terminal) {
                bar.advance();
            } else {
                err.println(line);
                err.flush();
            }
        });
        try (InterruptAtExit _ = new InterruptAtExit()) {
            Measurements measured = turns.measure(chosen, rounds);
            bar.end();
            return measured;
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, "the benchmark failed: " + Reasons.of(e));
        } catch (InterruptedException e) {
            throw new CommandFailure(ExitCode.FAILED, "the benchmark was interrupted");
        }
    }
}
