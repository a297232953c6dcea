package org.beefs.cli.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The seconds that each phase took in each directory, round by round. Not thread-safe. */
final class Measurements {
    private final Map<Path, Map<Phase, List<Double>>> seconds = new LinkedHashMap<>();

    Measurements(List<Path> directories) {
        directories.forEach(directory -> seconds.put(directory, new EnumMap<>(Phase.class)));
    }

    void add(Path directory, Phase phase, double taken) {
        of(directory).computeIfAbsent(phase, _ -> new ArrayList<>()).add(taken);
    }

    /** In the order in which they were given. */
    List<Path> directories() {
        return List.copyOf(seconds.keySet());
    }

    /** Each measurement of a phase, in the order of the rounds. */
    List<Double> of(Path directory, Phase phase) {
        return List.copyOf(of(directory).getOrDefault(phase, List.of()));
    }

    /** What was measured, in its order. */
    List<Phase> phases() {
        return List.copyOf(of(directories().getFirst()).keySet());
    }

    /** The sum of all phases, for each round. */
    List<Double> totals(Path directory) {
        int rounds = of(directory, phases().getFirst()).size();
        List<Double> totals = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            double total = 0;
            for (Phase phase : phases()) {
                total += of(directory, phase).get(round);
            }
            totals.add(total);
        }
        return totals;
    }

    private Map<Phase, List<Double>> of(Path directory) {
        Map<Phase, List<Double>> found = seconds.get(directory);
        if (found == null) {
            throw new IllegalArgumentException(directory + " is not measured");
        }
        return found;
    }
}
