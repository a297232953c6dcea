package org.beefs.cli.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.beefs.cli.mounts.MountTable;
import org.beefs.cli.option.StateOption;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.InterruptAtExit;
import org.beefs.cli.state.Reasons;
import org.beefs.cli.state.TemporaryFolder;
import org.beefs.cli.state.WritableFolder;
import org.beefs.cli.terminal.ProgressBar;
import org.beefs.cli.terminal.Terminal;
import org.beefs.cli.view.Output;
import org.beefs.common.linux.SystemClock;
import org.beefs.common.time.Clock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What benchmarks have in common: directories that take turns, and a report. */
@Command(
        footerHeading = "%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:everything was measured",
            "1:a phase failed",
            "5:a folder cannot be used",
            "7:a daemon of the hive has ended"
        })
abstract class Benchmark implements Runnable {
    /** Begins the name of the folder in each directory that is removed in the end. */
    static final String FOLDER = "bench";

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private StateOption state = new StateOption();

    @Option(names = "--rounds", paramLabel = "N", description = "How often to measure. Default: ${DEFAULT-VALUE}")
    private int rounds = 5;

    @Mixin
    private Output output = new Output();

    /** Those that are compared. */
    abstract List<Path> directories();

    /**
     * What is done in each. Fails as a command does.
     *
     * @param err for what is left out
     */
    abstract Workload workload(PrintWriter err) throws IOException, InterruptedException;

    @Override
    public void run() {
        CommandSpec known = Objects.requireNonNull(spec, "picocli sets it before it runs a command");
        if (rounds < 1) {
            throw new ParameterException(known.commandLine(), "--rounds must be 1 or more");
        }
        output.show(measure(output.err()));
    }

    private BenchReport measure(PrintWriter err) {
        KernelCaches caches = KernelCaches.ofThisMachine();
        List<Place> places = places(caches, err);
        try (InterruptAtExit _ = new InterruptAtExit("the folder " + TemporaryFolder.name(FOLDER));
                Workload workload = workload(err)) {
            List<Phase> phases = possible(workload.phases(), caches, err);
            return BenchReport.of(workload.subject(), rounds, measure(phases, places, err));
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, "the benchmark failed: " + Reasons.of(e));
        } catch (InterruptedException e) {
            throw new CommandFailure(ExitCode.FAILED, "the benchmark was interrupted");
        }
    }

    private Measurements measure(List<Phase> phases, List<Place> places, PrintWriter err)
            throws IOException, InterruptedException {
        Clock clock = new SystemClock();
        boolean terminal = Terminal.hasMessages();
        ProgressBar bar = new ProgressBar("bench", Rounds.steps(phases, places.size(), rounds), err, terminal, clock);
        Rounds turns = new Rounds(clock, phases, line -> {
            if (terminal) {
                bar.advance();
            } else {
                say(err, line);
            }
        });
        Measurements measured = turns.measure(places, rounds);
        bar.end();
        return measured;
    }

    private List<Place> places(KernelCaches caches, PrintWriter err) {
        List<Place> places = new ArrayList<>();
        for (Path directory : directories().stream()
                .map(given -> WritableFolder.of(given, line -> say(err, line)))
                .distinct()
                .toList()) {
            Optional<Place> inHive = HivePlace.of(directory, state.hive(), caches);
            if (inHive.isEmpty() && MountTable.read().hiveAbove(directory).isPresent()) {
                say(
                        err,
                        "the hive of " + directory + " is not the one in "
                                + state.hive().path()
                                + " (--state): its daemons are not measured, and its mount is not made anew for cold phases");
            }
            places.add(inHive.orElseGet(() -> new PlainPlace(directory, caches)));
        }
        return places;
    }

    private static List<Phase> possible(List<Phase> phases, KernelCaches caches, PrintWriter err) {
        boolean anyCold = phases.stream().anyMatch(phase -> phase.kind() == Phase.Kind.COLD);
        if (!anyCold || caches.canBeDropped()) {
            return phases;
        }
        say(err, "cold phases are left out: only root can drop the kernel's caches");
        return phases.stream().filter(phase -> phase.kind() != Phase.Kind.COLD).toList();
    }

    static void say(PrintWriter err, String line) {
        err.println(line);
        err.flush();
    }
}
