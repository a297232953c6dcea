package org.beefs.simulator.world;

import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The one queue of everything that is going to happen, ordered by virtual time; events of the same moment run in an
 * order drawn from the seed. Virtual time stands still while an event runs. Not thread-safe: a world has one thread.
 */
public final class SimScheduler {
    /** Events that may wait at a time: far above what a hive of three hosts makes, so that reaching it shows a leak. */
    private static final int MAX_EVENTS = 1_000_000;

    /** Something that is going to happen once. */
    public static final class Event implements Comparable<Event> {
        private final long at;
        private final int tieBreak;
        private final long number;
        private final @Nullable SimProcess process;
        private @Nullable Runnable task;

        private Event(long at, int tieBreak, long number, @Nullable SimProcess process, Runnable task) {
            this.at = at;
            this.tieBreak = tieBreak;
            this.number = number;
            this.process = process;
            this.task = task;
        }

        /** Written out, as a chain of comparators takes a twentieth of all simulations' time. */
        @Override
        public int compareTo(Event other) {
            int order = Long.compare(at, other.at);
            if (order == 0) {
                order = Integer.compare(tieBreak, other.tieBreak);
            }
            return order != 0 ? order : Long.compare(number, other.number);
        }

        /** Keeps it from happening; harmless when it has happened. */
        public void cancel() {
            task = null;
        }
    }

    private final RandomGenerator random;
    private final PriorityQueue<Event> queue = new PriorityQueue<>();
    private long now;
    private long lastNumber;

    public SimScheduler(RandomGenerator random) {
        this.random = random;
    }

    /** Virtual nanoseconds since the world began. */
    public long now() {
        return now;
    }

    /** How many events were ever scheduled: two runs of one seed agree on it at any moment. */
    public long scheduled() {
        return lastNumber;
    }

    /** Something the world itself does. */
    public Event schedule(long delayNanos, Runnable task) {
        return scheduleAt(now + delayNanos, null, task);
    }

    /** Something a process does, unless it is dead by then; a stopped process does it when it goes on. */
    Event schedule(long delayNanos, SimProcess process, Runnable task) {
        return scheduleAt(now + delayNanos, process, task);
    }

    private Event scheduleAt(long at, @Nullable SimProcess process, Runnable task) {
        if (queue.size() >= MAX_EVENTS) {
            throw new IllegalStateException("more than " + MAX_EVENTS + " events wait: something multiplies");
        }
        Event event = new Event(at, random.nextInt(), ++lastNumber, process, task);
        queue.add(event);
        return event;
    }

    /** Lets the next event happen; false when nothing is ever going to happen. */
    public boolean runNext() {
        Event event = queue.poll();
        if (event == null) {
            return false;
        }
        now = Math.max(now, event.at);
        Runnable task = event.task;
        if (task != null) {
            event.task = null;
            if (event.process == null) {
                task.run();
            } else {
                event.process.run(task);
            }
        }
        return true;
    }

    /** Lets everything happen that is due within the given time from now, and moves time there. */
    public void runFor(long nanos) {
        long end = now + nanos;
        while (true) {
            Event next = queue.peek();
            if (next == null || next.at > end) {
                break;
            }
            runNext();
        }
        now = Math.max(now, end);
    }
}
