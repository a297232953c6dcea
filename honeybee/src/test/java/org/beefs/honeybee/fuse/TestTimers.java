package org.beefs.honeybee.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.beefs.common.time.Timers;

/** Real timers, for tests on real mounts. */
public final class TestTimers implements Timers, AutoCloseable {
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

    private final CountDownLatch scheduled = new CountDownLatch(1);

    /** Waits until a task was scheduled for the first time. */
    void awaitScheduled() throws InterruptedException {
        assertThat(scheduled.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        scheduled.countDown();
        Future<?> later = executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> later.cancel(false);
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
