package org.beefs.common.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Scanner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.beefs.common.linux.SystemClock;
import org.junit.jupiter.api.Test;

class SystemTimeTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    void shouldCountFromTheBootOfTheMachine() throws Exception {
        SystemClock clock = new SystemClock();

        long before = clock.bootNanos();
        double uptime;
        try (Scanner scanner = new Scanner(Files.readString(Path.of("/proc/uptime")))) {
            uptime = Double.parseDouble(scanner.next());
        }
        long after = clock.bootNanos();

        // The kernel cuts its figure to hundredths of a second.
        assertThat(uptime * 1e9).isBetween(before - 2e7, after + 2e7);
    }

    @Test
    void shouldRunTasksThatAreDueAndSurviveThoseThatFail() {
        try (SystemTimers timers = new SystemTimers()) {
            CompletableFuture<String> ran = new CompletableFuture<>();
            timers.schedule(Duration.ZERO, () -> {
                throw new IllegalStateException("this failure belongs to the test");
            });
            timers.schedule(
                    Duration.ofMillis(1),
                    () -> ran.complete(Thread.currentThread().getName()));

            assertThat(ran).succeedsWithin(PATIENCE).isEqualTo("beefs-timers");
        }
    }

    @Test
    void shouldNotRunCancelledTasks() {
        try (SystemTimers timers = new SystemTimers()) {
            CompletableFuture<Void> free = new CompletableFuture<>();
            CompletableFuture<Void> cancelled = new CompletableFuture<>();
            CompletableFuture<Void> later = new CompletableFuture<>();
            timers.schedule(Duration.ZERO, free::join);
            Timers.Timer timer = timers.schedule(Duration.ofMillis(1), () -> cancelled.complete(null));
            timers.schedule(Duration.ofMillis(2), () -> later.complete(null));
            timer.cancel();
            free.complete(null);

            assertThat(later).succeedsWithin(PATIENCE);
            assertThat(cancelled).isNotDone();
        }
    }

    @Test
    void shouldIgnoreTasksAfterTheClose() {
        AtomicInteger runs = new AtomicInteger();
        SystemTimers timers = new SystemTimers();
        timers.close();

        timers.schedule(Duration.ZERO, runs::incrementAndGet);

        try (SystemTimers others = new SystemTimers()) {
            CompletableFuture<Void> later = new CompletableFuture<>();
            others.schedule(Duration.ofMillis(50), () -> later.complete(null));
            assertThat(later).succeedsWithin(PATIENCE);
        }
        assertThat(runs).hasValue(0);
    }
}
