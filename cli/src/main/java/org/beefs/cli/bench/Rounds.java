package org.beefs.cli.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.beefs.cli.state.TemporaryFolder;
import org.beefs.common.time.Clock;

/**
 * A workload over several directories. They take turns round by round, each round begins with another one, and a first
 * round without compiling only warms up, so that what changes over time touches all alike. Not thread-safe.
 */
final class Rounds {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Clock clock;
    private final Workload workload;
    private final Consumer<String> progress;

    /** Progress is told one short sentence before each phase. */
    Rounds(Clock clock, Workload workload, Consumer<String> progress) {
        this.clock = clock;
        this.workload = workload;
        this.progress = progress;
    }

    Measurements measure(List<Path> directories, int rounds) throws IOException, InterruptedException {
        Measurements warmUp = new Measurements(directories);
        for (Path directory : directories) {
            round("warm-up (not counted)", directory, warmUpPhases(workload), warmUp);
        }
        Measurements measurements = new Measurements(directories);
        for (int round = 0; round < rounds; round++) {
            List<Path> order = new ArrayList<>(directories);
            Collections.rotate(order, -round);
            for (Path directory : order) {
                round("round " + (round + 1) + " of " + rounds, directory, workload.phases(), measurements);
            }
        }
        return measurements;
    }

    /** How many phases that are altogether, those that only warm up included. */
    static int phases(Workload workload, int directories, int rounds) {
        return directories
                * (warmUpPhases(workload).size() + rounds * workload.phases().size());
    }

    private static List<Phase> warmUpPhases(Workload workload) {
        return workload.phases().stream()
                .filter(phase -> phase != Phase.COMPILE)
                .toList();
    }

    private void round(String name, Path directory, List<Phase> phases, Measurements measurements)
            throws IOException, InterruptedException {
        try (TemporaryFolder folder = TemporaryFolder.in(directory, "bench")) {
            for (Phase phase : phases) {
                progress.accept(name + ", " + directory + ": " + phase.title());
                long start = clock.bootNanos();
                workload.run(phase, folder.path());
                measurements.add(directory, phase, (clock.bootNanos() - start) / NANOS_PER_SECOND);
            }
        }
    }
}
