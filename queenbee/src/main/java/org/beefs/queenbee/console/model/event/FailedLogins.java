package org.beefs.queenbee.console.model.event;

import java.time.Duration;
import org.beefs.common.time.Clock;

/**
 * Records failed logins, which anybody can cause: the first one at once, and those of the minute after it as one event,
 * so that they push nothing else out of the log. Thread-safe.
 */
public final class FailedLogins {
    static final Duration DISTANCE = Duration.ofMinutes(1);

    private final EventLog events;
    private final Clock clock;
    private int number;
    private String lastFrom = "";
    private long quietUntil;

    public FailedLogins(EventLog events, Clock clock) {
        this.events = events;
        this.clock = clock;
        quietUntil = clock.bootNanos();
    }

    /**
     * Somebody has failed.
     *
     * @param from address of the browser
     */
    public synchronized void add(String from) {
        number++;
        lastFrom = from;
        tell();
    }

    /** Called now and then. */
    public synchronized void tell() {
        long now = clock.bootNanos();
        if (number > 0 && now - quietUntil >= 0) {
            events.add("login", null, text(), null);
            number = 0;
            quietUntil = now + DISTANCE.toNanos();
        }
    }

    private String text() {
        return number == 1
                ? "somebody at %s has failed to log in".formatted(lastFrom)
                : "%d logins have failed, the last one from %s".formatted(number, lastFrom);
    }
}
