package org.beefs.honeybee.queen;

import org.beefs.common.time.Clock;
import org.beefs.common.wire.Registered;
import org.jspecify.annotations.Nullable;

/**
 * Until when this desktop may change contents, in its own honeycomb and in others'. Counted on the boot clock from the
 * sending of what the queen-bee answered last, so that it is over before she can think so. When it has run out only a
 * registration begins it anew, because files may have moved on meanwhile. Thread-safe.
 */
final class WriteTerm {
    private final Clock clock;
    private final @Nullable LocalHoneycomb honeycomb;
    private volatile boolean begun;
    private volatile long end;
    private volatile long length;

    WriteTerm(Clock clock, @Nullable LocalHoneycomb honeycomb) {
        this.clock = clock;
        this.honeycomb = honeycomb;
    }

    boolean holds() {
        return begun && clock.bootNanos() < end;
    }

    /** When it ends, or has ended. */
    long end() {
        return end;
    }

    /** A registration that was sent then was answered: its terms hold, which may be shorter than before. */
    synchronized void begin(long sentAt, Registered terms) {
        length = terms.getFenceMillis() * 1_000_000L;
        end = sentAt + length;
        begun = true;
    }

    /**
     * What was sent then was answered. False when it had run out before; not when there was none, because nothing may
     * be changed.
     */
    synchronized boolean extend(long sentAt) {
        if (begun && length == 0) {
            return true;
        }
        if (!holds()) {
            return false;
        }
        end = Math.max(end, sentAt + length);
        return honeycomb == null || honeycomb.extendLease(end);
    }
}
