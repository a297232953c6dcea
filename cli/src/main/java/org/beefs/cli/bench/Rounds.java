package org.beefs.cli.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.beefs.cli.process.ProcessUsage;
import org.beefs.cli.state.TemporaryFolder;
import org.beefs.common.time.Clock;

/**
 * Phases in several directories. They take turns round by round, each round begins with another one, and a first round
 * of the ordinary phases only warms up, so that what changes over time touches all alike. Not thread-safe.
 */
final class Rounds {
    private final Clock clock;
    private final List<Phase> phases;
    private final Consumer<String> progress;

    /** Progress is told one short sentence before each phase. */
    Rounds(Clock clock, List<Phase> phases, Consumer<String> progress) {
        this.clock = clock;
        this.phases = phases;
        this.progress = progress;
    }

    Measurements measure(List<Place> places, int rounds) throws IOException, InterruptedException {
        Measurements warmUp = new Measurements(places);
        for (Place place : places) {
            round("warm-up (not counted)", place, warmUpPhases(phases), warmUp);
        }
        Measurements measurements = new Measurements(places);
        for (int round = 0; round < rounds; round++) {
            List<Place> order = new ArrayList<>(places);
            Collections.rotate(order, -round);
            for (Place place : order) {
                round("round " + (round + 1) + " of " + rounds, place, phases, measurements);
            }
        }
        return measurements;
    }

    /** How many phases that are altogether, those that only warm up included. */
    static int steps(List<Phase> phases, int directories, int rounds) {
        return directories * (warmUpPhases(phases).size() + rounds * phases.size());
    }

    private static List<Phase> warmUpPhases(List<Phase> phases) {
        return phases.stream()
                .filter(phase -> phase.kind() == Phase.Kind.ORDINARY)
                .toList();
    }

    private void round(String name, Place place, List<Phase> round, Measurements measurements)
            throws IOException, InterruptedException {
        try (TemporaryFolder folder = TemporaryFolder.in(place.directory(), Benchmark.FOLDER)) {
            for (Phase phase : round) {
                progress.accept(name + ", " + place.directory() + ": " + phase.title());
                if (phase.kind() == Phase.Kind.COLD) {
                    place.dropCaches();
                }
                ProcessUsage before = place.usage();
                long start = clock.bootNanos();
                phase.work().in(folder.path());
                long nanos = clock.bootNanos() - start;
                measurements.add(
                        place, phase.title(), Measured.of(nanos, place.usage().since(before)));
            }
        }
    }
}
