package org.beefs.honeybee.queen;

import org.beefs.common.replica.LocalHoneycomb;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.Registered;
import org.jspecify.annotations.Nullable;

/**
 * The time for which this desktop may change contents, in its own honeycomb and in others'. Counted on the boot clock
 * from the sending of what the queen-bee answered last, so that it is over before she can think so. When it has run out
 * only a registration begins it anew, because files may have moved on meanwhile. Thread-safe.
 */
final class WriteTerm {
    private final Clock clock;
    private final @Nullable LocalHoneycomb honeycomb;
    private volatile boolean begun;
    private volatile long end;
    private volatile long length;
    private volatile long agreed;
    private volatile long number;

    WriteTerm(Clock clock, @Nullable LocalHoneycomb honeycomb) {
        this.clock = clock;
        this.honeycomb = honeycomb;
    }

    boolean holds() {
        return begun && clock.bootNanos() < end;
    }

    /** How many terms have begun. */
    long number() {
        return number;
    }

    /**
     * A registration that was sent then was answered. When its terms are shorter than before, the present term is so at
     * once; the next one follows with {@link #begin}.
     */
    synchronized void agree(long sentAt, Registered terms) {
        length = terms.getFenceMillis() * 1_000_000L;
        agreed = sentAt + length;
        end = Math.min(end, agreed);
    }

    /** When the term ends that was agreed by the last registration. */
    long agreed() {
        return agreed;
    }

    /**
     * A term begins, and holds until then. The honeycomb of this process takes changes by now: so nobody goes there in
     * vain.
     */
    synchronized void begin(long until) {
        end = until;
        begun = true;
        number++;
    }

    /**
     * Prolongs the term, because something that was sent then was answered. False when it had run out before; not when
     * there was none, because nothing may be changed.
     */
    synchronized boolean extend(long sentAt) {
        if (length == 0) {
            return true;
        }
        long longer = Math.max(end, sentAt + length);
        begun = holds() && (honeycomb == null || honeycomb.extendLease(longer));
        if (begun) {
            end = longer;
        }
        return begun;
    }
}
