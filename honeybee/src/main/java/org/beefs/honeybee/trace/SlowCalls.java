package org.beefs.honeybee.trace;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.beefs.common.posix.Errno;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.time.Timers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs calls that take longer than a bound: as soon as that is seen, with what they wait for, and again when they have
 * ended. While any call is open it is looked four times within the bound. At most {@link #MOST} calls in {@link #PER};
 * how many more there were is said with the next. Thread-safe.
 */
public final class SlowCalls implements Calls.Watcher {
    static final int MOST = 20;
    static final Duration PER = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(SlowCalls.class);

    private final Calls calls;
    private final Waits waits;
    private final Timers timers;
    private final Duration bound;
    private final AtomicBoolean looking = new AtomicBoolean();

    // Guarded by this.
    private long periodBegan;
    private int logged;
    private long leftOut;

    private SlowCalls(Calls calls, Waits waits, Timers timers, Duration bound) {
        this.calls = calls;
        this.waits = waits;
        this.timers = timers;
        this.bound = bound;
        this.periodBegan = calls.clock().bootNanos();
    }

    /** Watches from now on. */
    public static void log(Calls calls, Waits waits, Timers timers, Duration bound) {
        calls.add(new SlowCalls(calls, waits, timers, bound));
    }

    @Override
    public void began(Call call) {
        if (!looking.get() && looking.compareAndSet(false, true)) {
            lookLater();
        }
    }

    @Override
    public void ended(Call call, long nanos, @Nullable Object value, @Nullable Errno errno) {
        Duration took = Duration.ofNanos(nanos);
        if (took.compareTo(bound) >= 0 && (call.isNoted() || admit())) {
            CurrentRequest.run(
                    call.id(),
                    () -> LOG.info(
                            "{} took {}{}{}",
                            described(call),
                            seconds(took),
                            errno == null ? "" : " and failed with " + errno,
                            call.waits().isEmpty() ? "" : "; it waited for " + Wait.text(call.waits())));
        }
    }

    private void lookLater() {
        timers.schedule(bound.dividedBy(4), this::look);
    }

    /** The next look follows the answer to this one, which comes soon. */
    private void look() {
        long now = calls.clock().bootNanos();
        List<Call> slow = calls.open().stream()
                .filter(call -> call.age(now).compareTo(bound.dividedBy(2)) >= 0)
                .toList();
        waits.explain(slow).whenComplete((explained, failure) -> {
            slow.forEach(this::note);
            goOn();
        });
    }

    private void goOn() {
        looking.set(false);
        if (!calls.isIdle() && looking.compareAndSet(false, true)) {
            lookLater();
        }
    }

    private void note(Call call) {
        Duration age = call.age(calls.clock().bootNanos());
        if (age.compareTo(bound) < 0 || call.isNoted() || !calls.isOpen(call) || !admit()) {
            return;
        }
        call.note();
        CurrentRequest.run(
                call.id(),
                () -> LOG.info(
                        "{} has been waiting for {}: it waits for {}",
                        described(call),
                        seconds(age),
                        Wait.text(call.waits())));
    }

    private synchronized boolean admit() {
        long now = calls.clock().bootNanos();
        if (now - periodBegan >= PER.toNanos()) {
            periodBegan = now;
            logged = 0;
        }
        if (logged >= MOST) {
            leftOut++;
            return false;
        }
        logged++;
        if (leftOut > 0) {
            LOG.info("{} other slow calls were not logged", leftOut);
            leftOut = 0;
        }
        return true;
    }

    private static String described(Call call) {
        String name =
                call.name() == null ? "" : "'%s' in ".formatted(call.name().toStringUtf8());
        String about = call.inode() == 0 ? "" : " of %sinode %d".formatted(name, call.inode());
        return "%s%s for thread %d".formatted(call.operation(), about, call.thread());
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1000.0);
    }
}
