package org.beefs.common.time;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Timers of this process, run by one daemon thread. Thread-safe.
 *
 * <p>A heap of tasks rather than a wheel that ticks, because an idle desktop daemon must not wake the machine. Delays
 * do not run while the machine sleeps: whoever measures a lease looks at {@link Clock#bootNanos} when the task runs.
 * The number of tasks is bounded by those who schedule.
 */
@ProductionOnly
public final class SystemTimers implements Timers, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SystemTimers.class);

    private final ScheduledThreadPoolExecutor executor;

    public SystemTimers() {
        executor = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().name("beefs-timers").daemon().factory());
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        try {
            return new Scheduled(
                    executor.schedule(new Guarded(task), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS));
        } catch (RejectedExecutionException e) {
            LOG.debug("a task was scheduled after the timers were closed, and will not run");
            return () -> {};
        }
    }

    /** Forgets all tasks; later ones never run. */
    @Override
    public void close() {
        executor.shutdownNow();
    }

    private record Scheduled(ScheduledFuture<?> task) implements Timer {
        @Override
        public void cancel() {
            task.cancel(false);
        }
    }

    private record Guarded(Runnable task) implements Runnable {
        @Override
        public void run() {
            try {
                task.run();
            } catch (Throwable e) {
                LOG.error("a timer task failed", e);
            }
        }
    }
}
