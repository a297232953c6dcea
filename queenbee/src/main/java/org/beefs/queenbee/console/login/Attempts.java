package org.beefs.queenbee.console.login;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;

/**
 * Attempts to log in, by address. The more wrong passwords have come from an address of late, the later the next one is
 * answered; until then it takes up one of a few places. The address whose last wrong password is longest ago is
 * forgotten first. Thread-safe.
 */
final class Attempts {
    /** Wrong passwords that are answered at once. */
    static final int FREE = 5;

    static final int MOST_AT_ONCE = 16;
    static final int MOST = 10_000;

    /** An address without a failure for so long begins anew. */
    static final Duration MEMORY = Duration.ofMinutes(15);

    private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    private static final int MOST_DOUBLINGS = 3;

    private final Clock clock;
    private final Map<String, Integer> underWay = new HashMap<>();
    private final SequencedMap<String, Failures> failures = new LinkedHashMap<>();

    private record Failures(int number, long last) {}

    Attempts(Clock clock) {
        this.clock = clock;
    }

    /** Fails with EAGAIN when too many from there are under way. */
    synchronized void begin(String from) {
        int others = underWay.getOrDefault(from, 0);
        if (others >= MOST_AT_ONCE) {
            throw new PosixException(Errno.EAGAIN, "too many people log in from your address at once; try again");
        }
        underWay.put(from, others + 1);
    }

    /** An attempt has ended, whatever has come of it. */
    synchronized void end(String from) {
        underWay.computeIfPresent(from, (_, number) -> number == 1 ? null : number - 1);
    }

    /** The password was wrong. How long to wait before that is answered. */
    synchronized Duration failed(String from) {
        long now = clock.bootNanos();
        Failures known = failures.remove(from);
        int before = known == null || now - known.last >= MEMORY.toNanos() ? 0 : known.number;
        failures.put(from, new Failures(before + 1, now));
        if (failures.size() > MOST) {
            failures.pollFirstEntry();
        }
        return wait(before + 1 - FREE);
    }

    /** @param number of failures beyond those that cost nothing */
    private static Duration wait(int number) {
        return number <= 0 ? Duration.ZERO : FIRST_WAIT.multipliedBy(1L << Math.min(number - 1, MOST_DOUBLINGS));
    }
}
