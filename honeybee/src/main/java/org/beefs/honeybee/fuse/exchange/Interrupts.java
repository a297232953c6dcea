package org.beefs.honeybee.fuse.exchange;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.beefs.common.time.Timers;
import org.beefs.honeybee.mount.Callers;

/**
 * Signals. The kernel tells of any signal that a waiting caller gets, and only of the first. A request goes on all the
 * same: programs do not expect EINTR from files. Only when its caller is being killed, or is gone, it is answered EINTR
 * at once, so that nobody hangs on a file system that cannot be reached. As the kernel is silent about later signals, a
 * caller that was once interrupted is looked at again and again while its request is in flight. Waiting for a lock is
 * the exception: any signal ends it. It gets until the next look to end by itself, so that the caller hears if it has
 * got the lock all the same. So is a caller that cannot be seen, because it is outside of the daemon's container: any
 * signal may be the one that kills it.
 *
 * <p>Thread-safe. In flight is at most one request for each thread that waits, and what the kernel asks in the
 * background, whose number was negotiated.
 */
public final class Interrupts {
    static final Duration LOOK_AGAIN = Duration.ofMillis(250);

    /** How often callers are looked at of whose signals the kernel may not tell. */
    private static final Duration ROUND = Duration.ofSeconds(1);

    /**
     * Bound of the interrupts that came before their request. They stay when their request was already answered, which
     * cannot be told apart; the oldest go first. One lost means that its caller cannot be killed before the operation
     * ends.
     */
    private static final int MAX_EARLY = 256;

    private final Callers callers;
    private final Timers timers;
    private final ConcurrentHashMap<Long, Exchange> inFlight = new ConcurrentHashMap<>();

    /** Guarded by itself. */
    private final LinkedHashSet<Long> early = new LinkedHashSet<>();

    /** Whether anything is in {@link #early}; written under its lock. */
    private volatile boolean anyEarly;

    /** Whether the next round is on its way. */
    private final AtomicBoolean watching = new AtomicBoolean();

    private volatile boolean watches;

    public Interrupts(Callers callers, Timers timers) {
        this.callers = callers;
        this.timers = timers;
    }

    /**
     * From now on callers are also looked at by and by: while Linux (6.14 to 6.18 at least) hands a request to a ring,
     * it forgets to tell of a signal.
     */
    public void watch() {
        watches = true;
    }

    /** The request waits for an operation from now on. */
    void begin(Exchange exchange) {
        inFlight.put(exchange.unique(), exchange);
        if (watches) {
            nextRound();
        }
        if (anyEarly && wasEarly(exchange.unique())) {
            check(exchange);
        }
    }

    /** The operation is over. Harmless when it never began. */
    void end(Exchange exchange) {
        inFlight.remove(exchange.unique());
    }

    /**
     * The caller that waits for this request got a signal. With several readers this may be read before the request.
     */
    public void interrupted(long unique) {
        Exchange exchange;
        synchronized (early) {
            early.add(unique);
            anyEarly = true;
            exchange = inFlight.get(unique);
            if (exchange == null) {
                dropOldest();
                return;
            }
            forget(unique);
        }
        check(exchange);
    }

    /**
     * Answers all requests whose callers are being killed. For times when nobody hears of the kernel's interrupts.
     * Callers that are gone do not count here: they may have asked for something in the background that others wait
     * for.
     */
    void sweep() {
        for (Exchange exchange : inFlight.values()) {
            if (callers.state(exchange.pid()) == Callers.State.BEING_KILLED) {
                exchange.abandon();
            }
        }
    }

    private void nextRound() {
        if (!watching.get() && watching.compareAndSet(false, true)) {
            timers.schedule(ROUND, this::round);
        }
    }

    /** Looks at the callers of all that is in flight, and does so again as long as there is anything. */
    private void round() {
        sweep();
        watching.set(false);
        if (!inFlight.isEmpty()) {
            nextRound();
        }
    }

    /** Gives up everything in flight, as the mount is gone. */
    public void abandonAll() {
        new ArrayList<>(inFlight.values()).forEach(Exchange::abandon);
    }

    /** How many requests are under way; for tests. */
    int inFlight() {
        return inFlight.size();
    }

    private void check(Exchange exchange) {
        if (!exchange.isAnswered()) {
            lookAt(exchange, callers.state(exchange.pid()) == Callers.State.ALIVE);
        }
    }

    private void checkAgain(Exchange exchange) {
        if (!exchange.isAnswered()) {
            boolean seen = exchange.pid() != Callers.UNSEEN;
            lookAt(exchange, seen && callers.state(exchange.pid()) == Callers.State.ALIVE);
        }
    }

    private void lookAt(Exchange exchange, boolean goesOn) {
        if (goesOn && !exchange.isInterrupted()) {
            exchange.interrupt();
            timers.schedule(LOOK_AGAIN, () -> checkAgain(exchange));
        } else {
            exchange.abandon();
        }
    }

    private boolean wasEarly(long unique) {
        synchronized (early) {
            return forget(unique);
        }
    }

    private boolean forget(long unique) {
        boolean present = early.remove(unique);
        anyEarly = !early.isEmpty();
        return present;
    }

    private void dropOldest() {
        if (early.size() > MAX_EARLY) {
            early.removeFirst();
        }
    }
}
