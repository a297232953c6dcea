package org.beefs.queenbee.server.run;

import java.time.Duration;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.session.Sessions;

/**
 * Notices that the queen-bee herself was asleep or stopped: what others sent meanwhile may still be on its way, so
 * their silence counts from now. Belongs to the namespace thread.
 */
public final class OwnSleep {
    private final Clock clock;
    private final Sessions sessions;
    private final long boundNanos;
    private long lastTickNanos;

    public OwnSleep(Clock clock, Sessions sessions, Duration heartbeat) {
        this.clock = clock;
        this.sessions = sessions;
        boundNanos = 2 * heartbeat.toNanos();
        lastTickNanos = clock.bootNanos();
    }

    /** A tick has come, as one does at each heartbeat. */
    public void tick() {
        forgive();
        lastTickNanos = clock.bootNanos();
    }

    /** Forgives everybody his silence when the tick is overdue. Called before somebody is blamed for silence. */
    void forgive() {
        if (clock.bootNanos() - lastTickNanos > boundNanos) {
            sessions.forgiveSilence();
        }
    }

    /** Whether she slept while something was under way: it took much longer than it can. */
    boolean wasDuring(long beginNanos, Duration longest) {
        return clock.bootNanos() - beginNanos > longest.toNanos() + boundNanos;
    }
}
