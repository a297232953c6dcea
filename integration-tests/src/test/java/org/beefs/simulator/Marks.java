package org.beefs.simulator;

import java.util.LinkedHashMap;
import java.util.Map;

/** How often something has really happened in runs: a fault that is drawn and cannot happen does not count. */
public final class Marks {
    /** What faults lead to. */
    public enum Consequence {
        /** The queen-bee has given up a desktop that was away for too long. */
        LOST,
        /** She has met again one that she had given up. */
        RETURNED,
        /** The queen-bee was rebuilt while a desktop was off. */
        RECOVERED_WITHOUT_ONE
    }

    private final Map<Enum<?>, Integer> times = new LinkedHashMap<>();

    /** It happens. */
    public void add(Enum<?> what) {
        times.merge(what, 1, Integer::sum);
    }

    /** All that has happened in another run, too. Thread-safe if the others are not used meanwhile. */
    public synchronized void addAll(Marks other) {
        other.times.forEach((what, more) -> times.merge(what, more, Integer::sum));
    }

    /** How often it has happened. */
    public int times(Enum<?> what) {
        return times.getOrDefault(what, 0);
    }

    @Override
    public String toString() {
        return times.toString();
    }
}
