package org.beefs.queenbee.console.login;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.beefs.common.time.Clock;

/**
 * How often somebody has failed to log in, by where he asks from and as whom. After {@link #FREE} failures he waits, twice as long after each
 * further one. Those who have failed longest ago are forgotten first. Thread-safe.
 */
final class Attempts {
    static final int FREE = 5;
    static final int MOST = 10_000;

    private static final Duration FIRST_WAIT = Duration.ofSeconds(10);
    private static final int MOST_DOUBLINGS = 7;

    private final Clock clock;
    private final Map<String, Failures> failures = new LinkedHashMap<>();

    private record Failures(int number, long blockedUntil) {}

    Attempts(Clock clock) {
        this.clock = clock;
    }

    /** How long he has to wait; nothing if he may try. */
    synchronized Duration wait(String who) {
        Failures known = failures.get(who);
        long left = known == null ? 0 : known.blockedUntil - clock.bootNanos();
        return Duration.ofNanos(Math.max(0, left));
    }

    synchronized void failed(String who) {
        Failures known = failures.remove(who);
        int number = known == null ? 1 : known.number + 1;
        Duration wait =
                number < FREE ? Duration.ZERO : FIRST_WAIT.multipliedBy(1L << Math.min(number - FREE, MOST_DOUBLINGS));
        failures.put(who, new Failures(number, clock.bootNanos() + wait.toNanos()));
        if (failures.size() > MOST) {
            failures.remove(failures.keySet().iterator().next());
        }
    }

    synchronized void succeeded(String who) {
        failures.remove(who);
    }
}
