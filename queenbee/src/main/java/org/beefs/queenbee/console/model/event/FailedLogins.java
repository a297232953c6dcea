package org.beefs.queenbee.console.model.event;

import java.time.Duration;
import org.beefs.common.time.Clock;

/**
 * Records failed logins, which anybody can cause: the first one at once, and those of the minute after it as one event.
 * As long as they go on, each such time is twice as long as the one before, up to {@link #LONGEST}, so that they push
 * nothing else out of the log. Thread-safe.
 */
public final class FailedLogins {
    static final Duration SHORTEST = Duration.ofMinutes(1);

    /** After so long without any it begins with the shortest again. */
    static final Duration LONGEST = Duration.ofHours(1);

    private final EventLog events;
    private final Clock clock;
    private int number;
    private String lastFrom = "";
    private long lastFailed;
    private long quietUntil;
    private Duration distance = SHORTEST;

    public FailedLogins(EventLog events, Clock clock) {
        this.events = events;
        this.clock = clock;
        quietUntil = clock.bootNanos();
        lastFailed = quietUntil;
    }

    /**
     * Somebody has failed.
     *
     * @param from address of the browser
     */
    public synchronized void add(String from) {
        long now = clock.bootNanos();
        if (now - lastFailed >= LONGEST.toNanos()) {
            distance = SHORTEST;
            quietUntil = now;
        }
        lastFailed = now;
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
            quietUntil = now + distance.toNanos();
            Duration twice = distance.multipliedBy(2);
            distance = twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
        }
    }

    private String text() {
        return number == 1
                ? "somebody at %s has failed to log in".formatted(lastFrom)
                : "%d logins have failed, the last one from %s".formatted(number, lastFrom);
    }
}
