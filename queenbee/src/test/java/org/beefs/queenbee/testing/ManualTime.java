package org.beefs.queenbee.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.beefs.common.time.Clock;
import org.beefs.common.time.Timers;

/** Clock and timers that go on only when told. Not thread-safe. */
public final class ManualTime implements Clock, Timers {
    private record Task(long dueNanos, long order, Runnable action) {}

    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Task::dueNanos).thenComparingLong(Task::order));
    private long nanos = 1_000_000_000L;
    /** By how much the time of day was set forth. */
    private long forthNanos;

    private long order;

    @Override
    public long bootNanos() {
        return nanos;
    }

    @Override
    public Instant now() {
        return Instant.ofEpochSecond(1_800_000_000L).plusNanos(nanos + forthNanos);
    }

    @Override
    public Timer schedule(Duration delay, Runnable action) {
        Task task = new Task(nanos + delay.toNanos(), order++, action);
        tasks.add(task);
        return () -> tasks.remove(task);
    }

    /** Somebody sets the time of day, forth or, below 0, back. */
    public void setForth(Duration by) {
        forthNanos += by.toNanos();
    }

    /** Lets time pass without running what falls due, as when the machine sleeps. */
    public void jump(Duration duration) {
        nanos += duration.toNanos();
    }

    /** Lets time pass, running each task when it is due, and something else after each. */
    public void advance(Duration duration, Runnable afterEach) {
        long end = nanos + duration.toNanos();
        for (Task next = tasks.peek(); next != null && next.dueNanos <= end; next = tasks.peek()) {
            tasks.remove();
            nanos = Math.max(nanos, next.dueNanos);
            next.action.run();
            afterEach.run();
        }
        nanos = Math.max(nanos, end);
    }
}
