package org.beefs.queenbee.lease;

import java.time.Duration;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.session.Sessions;

/**
 * The time after the queen-bee's start in which sessions from before it may hold leases that she does not know, and
 * bring changes that they have decided. It ends when all of these are back, or when they have been silent for so long
 * that none of their leases is left. Belongs to the namespace thread.
 */
public final class Grace {
    private final Clock clock;
    private final Sessions sessions;
    private final Duration silence;
    private long startNanos;

    /** @param silence after which a session has no leases any more */
    public Grace(Clock clock, Sessions sessions, Duration silence) {
        this.clock = clock;
        this.sessions = sessions;
        this.silence = silence;
        startNanos = clock.bootNanos();
    }

    /** The queen-bee begins to serve: the grace begins now, however long her state took to load. */
    public void beginServing() {
        startNanos = clock.bootNanos();
    }

    public boolean isRunning() {
        return sessions.areSomeAwaited() && !isTimeOver();
    }

    /** Whether it is over for everybody, also if some sessions from before the start are not back yet. */
    public boolean isTimeOver() {
        return clock.bootNanos() - startNanos >= silence.toNanos();
    }

    /** Fails with {@link ParkedException} while it is running, unless the request waits for nobody. */
    public void requireOver(Clearance by) {
        if (isRunning() && !by.waitsForNobody()) {
            throw new ParkedException(
                    Wait.Occasion.END_OF_GRACE, "some sessions may still cache what they knew before the start");
        }
    }
}
