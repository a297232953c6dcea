package org.beefs.cli.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What each phase took in each directory, round by round. Not thread-safe. */
final class Measurements {
    /** By directory and the phase's title, in their order. */
    private final Map<Place, Map<String, List<Measured>>> measured = new LinkedHashMap<>();

    Measurements(List<Place> places) {
        places.forEach(place -> measured.put(place, new LinkedHashMap<>()));
    }

    void add(Place place, String phase, Measured taken) {
        of(place).computeIfAbsent(phase, _ -> new ArrayList<>()).add(taken);
    }

    /** In the order in which they were given. */
    List<Place> places() {
        return List.copyOf(measured.keySet());
    }

    /** Each measurement of a phase, in the order of the rounds. */
    List<Measured> of(Place place, String phase) {
        return List.copyOf(of(place).getOrDefault(phase, List.of()));
    }

    /** What was measured, in its order. */
    List<String> phases() {
        return List.copyOf(of(places().getFirst()).keySet());
    }

    /** The sum of all phases, for each round. */
    List<Measured> totals(Place place) {
        int rounds = of(place, phases().getFirst()).size();
        List<Measured> totals = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            Measured total = Measured.NOTHING;
            for (String phase : phases()) {
                total = total.then(of(place, phase).get(round));
            }
            totals.add(total);
        }
        return totals;
    }

    private Map<String, List<Measured>> of(Place place) {
        Map<String, List<Measured>> found = measured.get(place);
        if (found == null) {
            throw new IllegalArgumentException(place.directory() + " is not measured");
        }
        return found;
    }
}
