package org.beefs.queenbee.lease;

import java.time.Duration;
import java.util.SequencedMap;
import org.beefs.common.collection.EldestFirst;
import org.beefs.common.time.Clock;

/**
 * Directories whose delegation was recalled lately: they are not delegated again before {@link #PAUSE} is over, so that
 * desktops that work in the same one lose at most one recall in that time by it. Belongs to the namespace thread.
 */
final class Contested {
    static final Duration PAUSE = Duration.ofSeconds(10);

    /** Directories at a time; when there are more, the eldest may be delegated too early. */
    static final int MOST = 16_384;

    private final Clock clock;

    /** Directories, each with when it was recalled (boot clock, ns), the eldest first. */
    private final SequencedMap<Long, Long> recalled = EldestFirst.map(MOST);

    Contested(Clock clock) {
        this.clock = clock;
    }

    void add(long directory) {
        recalled.putLast(directory, clock.bootNanos());
    }

    boolean has(long directory) {
        Long when = recalled.get(directory);
        return when != null && clock.bootNanos() - when < PAUSE.toNanos();
    }

    /** The directory is gone. */
    void forget(long directory) {
        recalled.remove(directory);
    }
}
