package org.beefs.queenbee.console.model.snapshot;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Figures of the last hour, for charts. Thread-safe. */
public final class History {
    /** An hour of snapshots. */
    static final int MOST = 720;

    private final Deque<Sample> samples = new ArrayDeque<>();

    /**
     * A moment's figures.
     *
     * @param time seconds since 1970
     * @param copyRate bytes a second
     * @param traffic content that desktops read and write on other desktops, copies included; bytes a second
     */
    public record Sample(
            long time,
            double operationsPerSecond,
            long medianMicros,
            long slowMicros,
            long copyRate,
            long underReplicated,
            long stale,
            long traffic) {}

    public synchronized void add(Sample sample) {
        samples.add(sample);
        if (samples.size() > MOST) {
            samples.remove();
        }
    }

    /** The oldest first. */
    public synchronized List<Sample> list() {
        return List.copyOf(samples);
    }
}
