package org.beefs.simulator.world;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.beefs.common.time.Timers;

/**
 * One life of a program on a host. Killed, it never does anything again, as after {@code kill -9}; stopped, everything
 * it would do waits until it goes on, as between SIGSTOP and SIGCONT.
 */
public final class SimProcess {
    private static final long MICROSECOND = 1_000;

    private final String name;
    private final SimHost host;
    private final SimScheduler scheduler;
    private final RandomGenerator random;
    private final List<Runnable> whenKilled = new ArrayList<>();
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private boolean alive = true;
    private boolean stopped;
    /** Whether all has happened that waited while it was stopped. */
    private boolean caughtUp = true;

    public SimProcess(String name, SimHost host, SimScheduler scheduler, RandomGenerator random) {
        this.name = name;
        this.host = host;
        this.scheduler = scheduler;
        this.random = random;
    }

    public SimHost host() {
        return host;
    }

    public boolean alive() {
        return alive;
    }

    /** Timers that die with the process and are up to a millisecond late. */
    public Timers timers() {
        return (delay, task) -> {
            long late = random.nextLong(1_000 * MICROSECOND);
            return scheduler.schedule(Math.max(0, delay.toNanos()) + late, this, task)::cancel;
        };
    }

    /** A thread: runs one task after the other, in the order given. */
    public Executor thread() {
        ArrayDeque<Runnable> tasks = new ArrayDeque<>();
        return task -> {
            tasks.add(task);
            if (tasks.size() == 1) {
                scheduler.schedule(handOver(), this, () -> runThread(tasks));
            }
        };
    }

    private void runThread(ArrayDeque<Runnable> tasks) {
        try {
            tasks.getFirst().run();
        } finally {
            tasks.removeFirst();
            if (!tasks.isEmpty()) {
                scheduler.schedule(handOver(), this, () -> runThread(tasks));
            }
        }
    }

    /** Many threads: tasks run in any order. */
    public Executor threadPool() {
        return task -> scheduler.schedule(handOver(), this, task);
    }

    private long handOver() {
        return random.nextLong(100 * MICROSECOND);
    }

    /** Runs a task as soon as the process can. */
    public void execute(long delayNanos, Runnable task) {
        scheduler.schedule(delayNanos, this, task);
    }

    /** Hears of its death, which the process itself does not. */
    public void onKill(Runnable task) {
        whenKilled.add(task);
    }

    public void kill() {
        if (alive) {
            alive = false;
            waiting.clear();
            whenKilled.forEach(Runnable::run);
        }
    }

    public void stop() {
        stopped = true;
        caughtUp = false;
    }

    /** Whether it runs, and has seen what came while it was stopped. */
    public boolean isCaughtUp() {
        return alive && caughtUp;
    }

    /** Ends a stop: what waited happens now, in its order. */
    public void goOn() {
        stopped = false;
        long delay = 0;
        while (!waiting.isEmpty()) {
            scheduler.schedule(delay++, this, waiting.remove());
        }
        scheduler.schedule(delay, this, () -> caughtUp = true);
    }

    void run(Runnable task) {
        if (!alive) {
            return;
        }
        if (stopped) {
            waiting.add(task);
        } else {
            task.run();
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
