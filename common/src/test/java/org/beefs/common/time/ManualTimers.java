package org.beefs.common.time;

import java.time.Duration;
import java.util.PriorityQueue;

/**
 * Timers that run when a test lets time pass, in the order of their times and, for equal times, of scheduling. They
 * move their clock. Tasks may schedule tasks. Scheduling is thread-safe; running is one thread's.
 */
public final class ManualTimers implements Timers {
    private static final int RUNAWAY = 1_000_000;

    private record Task(long at, long number, Runnable work) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(number, other.number);
        }
    }

    private final ManualClock clock;
    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private long scheduled;

    public ManualTimers() {
        this(new ManualClock());
    }

    public ManualTimers(ManualClock clock) {
        this.clock = clock;
    }

    public ManualClock clock() {
        return clock;
    }

    @Override
    public synchronized Timer schedule(Duration delay, Runnable work) {
        Task task = new Task(clock.bootNanos() + Math.max(0, delay.toNanos()), scheduled++, work);
        tasks.add(task);
        return () -> cancel(task);
    }

    /** Tasks that have not run. */
    public synchronized int size() {
        return tasks.size();
    }

    /** Runs what is due now, and what that schedules for now. */
    public void runDue() {
        advance(Duration.ZERO);
    }

    /** Lets time pass, running each task at its time. */
    public void advance(Duration by) {
        long until = clock.bootNanos() + by.toNanos();
        for (int i = 0; runNext(until); i++) {
            if (i > RUNAWAY) {
                throw new AssertionError("tasks keep scheduling tasks for the same time");
            }
        }
        clock.moveTo(until);
    }

    private boolean runNext(long until) {
        Task task;
        synchronized (this) {
            task = tasks.peek();
            if (task == null || task.at > until) {
                return false;
            }
            tasks.remove();
        }
        clock.moveTo(task.at);
        task.work.run();
        return true;
    }

    private synchronized void cancel(Task task) {
        tasks.remove(task);
    }
}
