package org.beefs.honeybee.queen;

import java.time.Duration;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.Registered;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What people are told, in the log, of a desktop's registrations and their ends. Thread-safe. */
final class RegistrationNews {
    private static final Logger LOG = LoggerFactory.getLogger(RegistrationNews.class);

    private final String desktop;
    private final Clock clock;

    // Guarded by this.
    private long lostAt = -1;
    private String lastRefusal = "";
    private boolean lastWasExpected;
    private long formerUntil;

    RegistrationNews(String desktop, Clock clock) {
        this.desktop = desktop;
        this.clock = clock;
        this.formerUntil = clock.bootNanos();
    }

    /** Until then another daemon of the desktop's name is probably its former one. By the boot clock. */
    synchronized void expectFormer(long until) {
        formerUntil = until;
    }

    /**
     * The queen-bee has taken the desktop in.
     *
     * @param former the session until now; 0 at the first registration
     */
    synchronized void registered(long former, Registered registered) {
        lastRefusal = "";
        long session = registered.getSession();
        if (former == 0) {
            LOG.info(
                    "{} is registered: session {}, queen-bee's incarnation {}",
                    desktop,
                    session,
                    registered.getIncarnation());
        } else if (former != session) {
            LOG.warn(
                    "session {} of {} had ended with its locks on files, session {} replaces it: {}",
                    former,
                    desktop,
                    session,
                    whyEnded(registered));
        }
        if (lostAt >= 0) {
            LOG.info(
                    "the queen-bee is back after {} s, incarnation {}",
                    Duration.ofNanos(clock.bootNanos() - lostAt).toSeconds(),
                    registered.getIncarnation());
            lostAt = -1;
        }
        if (registered.getLostHandlesCount() > 0) {
            LOG.warn(
                    "{} open files are gone from the hive; using them fails with ESTALE",
                    registered.getLostHandlesCount());
        }
    }

    private static String whyEnded(Registered registered) {
        return registered.getFormerEnded().isEmpty()
                ? "the queen-bee has started anew since, or was recovered, and does not know why"
                : registered.getFormerEnded();
    }

    /** Says once why the queen-bee refuses this desktop, however often it is tried again. */
    synchronized void refused(PosixException refusal) {
        boolean expected = refusal.errno() == Errno.EBUSY && clock.bootNanos() - formerUntil < 0;
        if (refusal.getMessage().equals(lastRefusal) && expected == lastWasExpected) {
            return;
        }
        lastRefusal = refusal.getMessage();
        lastWasExpected = expected;
        if (expected) {
            LOG.info("{} waits for the end of its former daemon, and tries on: {}", desktop, lastRefusal);
        } else {
            LOG.error("the queen-bee refuses {}: {}", desktop, lastRefusal);
        }
    }

    /** A connection has ended that had a session, which it says itself in the log. */
    synchronized void lost() {
        if (lostAt < 0) {
            lostAt = clock.bootNanos();
        }
    }
}
