package org.beefs.honeycomb.pace;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.config.ByteSize;
import org.beefs.common.time.Clock;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.UserActivity;

/**
 * Holds back what is done in the background: to a rate, and to less than that while somebody uses this machine, or
 * programs wait for its disk or its processors; and altogether while it is paused. What was not used earlier is not
 * saved up. Thread-safe.
 */
public final class Pace {
    /** Pressure up to which nobody is disturbed. Percent. */
    private static final double COMFORT = 10;

    /** Part of the full rate's time that each percent above takes more. */
    private static final double SLOWDOWN = 0.3;

    /**
     * Times the full rate's time that all takes while somebody uses the machine, however little pressure there is: he
     * feels at once what the pressure, an average of ten seconds, tells late, and his network it does not tell at all.
     */
    private static final double USER_SLOWDOWN = 4;

    /** However busy the machine is, there is some progress. */
    private static final double MOST_SLOWDOWN = 16;

    private final Clock clock;
    private final Timers timers;
    private final Pressure pressure;
    private final User user;
    private final ByteSize rate;

    /** When all that was admitted is paid for (boot clock, ns). Guarded by this. */
    private long free = Long.MIN_VALUE;

    /** The moment before which nothing is admitted (boot clock, ns). Guarded by this. */
    private long pausedUntil = Long.MIN_VALUE;

    /** @param rate in a second, while nobody is disturbed; more than nothing */
    public Pace(Clock clock, Timers timers, Pressure pressure, User user, ByteSize rate) {
        this.clock = clock;
        this.timers = timers;
        this.pressure = pressure;
        this.user = user;
        this.rate = rate;
    }

    /** Admits nothing for so long from now; for no time to end a pause. */
    public synchronized void pause(Duration time) {
        pausedUntil = clock.bootNanos() + time.toNanos();
    }

    /** For how long nothing is admitted. */
    public synchronized Duration paused() {
        long now = clock.bootNanos();
        return Duration.ofNanos(Math.max(pausedUntil, now) - now);
    }

    /**
     * Done with true when so many bytes may be copied, all at once: whoever comes next waits for the time that they
     * take. Done with false at {@code end}, by the boot clock, when that comes first.
     */
    public CompletableFuture<Boolean> admit(long bytes, long end) {
        long cost = cost(bytes);
        long now = clock.bootNanos();
        long begin;
        synchronized (this) {
            begin = Math.max(now, Math.max(free, pausedUntil));
            if (begin < end) {
                free = begin + cost;
            }
        }
        return begin < end ? after(begin - now, true) : after(end - now, false);
    }

    /** As {@link #admit}, with false after so long. */
    public CompletableFuture<Boolean> admitWithin(long bytes, Duration patience) {
        return admit(bytes, clock.bootNanos() + patience.toNanos());
    }

    /**
     * Bytes that were admitted begin only now, because the other end let them wait: whoever comes next waits from now
     * on.
     */
    public void beginsNow(long bytes) {
        long paid = clock.bootNanos() + cost(bytes);
        synchronized (this) {
            free = Math.max(free, paid);
        }
    }

    private long cost(long bytes) {
        return Math.round(
                bytes * slowdown() / rate.bytes() * Duration.ofSeconds(1).toNanos());
    }

    /** The slowdown: the larger of two, because both say what disturbs the same user. */
    private double slowdown() {
        double byPressure = Math.clamp(1 + (pressure.percent() - COMFORT) * SLOWDOWN, 1, MOST_SLOWDOWN);
        return user.activity() == UserActivity.ACTIVE ? Math.max(USER_SLOWDOWN, byPressure) : byPressure;
    }

    private CompletableFuture<Boolean> after(long nanos, boolean admitted) {
        if (nanos <= 0) {
            return CompletableFuture.completedFuture(admitted);
        }
        CompletableFuture<Boolean> later = new CompletableFuture<>();
        timers.schedule(Duration.ofNanos(nanos), () -> later.complete(admitted));
        return later;
    }
}
