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
        RECOVERED_WITHOUT_ONE,
        /** A lost desktop was forgotten. */
        FORGOTTEN,
        /** A file with a P-factor was synced or closed, and acknowledged. */
        PROMISED,
        /** What was acknowledged was read again after a desktop was lost. */
        SURVIVED,
        /** A replica is where its file was read whole, beyond those that the file should have. */
        KEPT_WHERE_READ,
        /** A file has gone on elsewhere without what was written last. */
        MOVED_ON,
        /** What was written last is in a conflict copy. */
        KEPT_AS_COPY,
        /** What was synced before a loss of power was read again. */
        SYNCED_AND_READ,
        /** What lay where the power was kept was read again. */
        KEPT_AND_READ,
        /** An operation was answered. */
        ANSWERED,
        /** It has failed for no reason of its own, and may have been carried out all the same. */
        FAILED
    }

    private final Map<Enum<?>, Integer> times = new LinkedHashMap<>();

    /** It happens. */
    public void add(Enum<?> what) {
        add(what, 1);
    }

    /** It happens so many times. */
    public void add(Enum<?> what, int more) {
        times.merge(what, more, Integer::sum);
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
