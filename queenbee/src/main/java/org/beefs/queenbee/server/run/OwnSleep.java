package org.beefs.queenbee.server.run;

import java.time.Duration;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.replication.Replication;
import org.beefs.queenbee.session.Sessions;

/**
 * Notices that the queen-bee herself was asleep or stopped: what others sent meanwhile may still be on its way, so
 * their silence counts from now, and nobody has waited in vain for copies or room. Belongs to the namespace thread.
 */
public final class OwnSleep {
    private final Clock clock;
    private final Sessions sessions;
    private final Replication replication;
    private final long boundNanos;
    private long lastTickNanos;

    public OwnSleep(Clock clock, Sessions sessions, Replication replication, Duration heartbeat) {
        this.clock = clock;
        this.sessions = sessions;
        this.replication = replication;
        boundNanos = 2 * heartbeat.toNanos();
        lastTickNanos = clock.bootNanos();
    }

    /** A tick has come, as one does at each heartbeat. */
    public void tick() {
        forgive();
        lastTickNanos = clock.bootNanos();
    }

    /**
     * Forgives everybody his silence when the tick is overdue. Called when a pass begins, before anybody can be blamed,
     * and again before the silent are looked for, because she may be stopped within a pass.
     */
    public void forgive() {
        if (clock.bootNanos() - lastTickNanos > boundNanos) {
            sessions.forgiveSilence();
            replication.forgiveWaiting();
        }
    }

    /** Whether she slept while something was under way: it took much longer than it can. */
    boolean wasDuring(long beginNanos, Duration longest) {
        return clock.bootNanos() - beginNanos > longest.toNanos() + boundNanos;
    }
}
