package org.beefs.honeybee;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.junit.jupiter.api.Test;

class ConcurrencyLimitTest {
    private final List<CompletableFuture<String>> started = new ArrayList<>();

    @Test
    void shouldRunNoMoreThanAllowedAtATime() {
        ConcurrencyLimit limit = new ConcurrencyLimit(2, 10);
        List<CompletableFuture<String>> results = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            results.add(limit.run(this::task));
        }
        assertThat(started).hasSize(2);

        started.getFirst().complete("done");

        assertThat(results.getFirst()).isCompletedWithValue("done");
        assertThat(started).hasSize(3);
    }

    @Test
    void shouldLetATaskTakeThePlacesOfSeveral() {
        ConcurrencyLimit limit = new ConcurrencyLimit(4, 10);
        limit.run(3, this::task);
        limit.run(2, this::task);
        limit.run(this::task);
        assertThat(started).as("nobody passes who waits").hasSize(1);

        started.getFirst().complete("done");
        assertThat(started).hasSize(3);
        limit.run(100, this::task);
        assertThat(started).hasSize(3);
        List.copyOf(started).forEach(task -> task.complete("done"));

        assertThat(started).as("no task needs more than there are").hasSize(4);
    }

    @Test
    void shouldRefuseWhenTooManyWait() {
        ConcurrencyLimit limit = new ConcurrencyLimit(1, 1);
        limit.run(this::task);
        limit.run(this::task);

        CompletableFuture<String> surplus = limit.run(this::task);

        assertThat(Failures.toPosix(surplus.exceptionNow()).errno()).isEqualTo(Errno.EAGAIN);
    }

    @Test
    void shouldGoOnAfterManyFailuresAtOnce() {
        ConcurrencyLimit limit = new ConcurrencyLimit(1, 100_000);
        CompletableFuture<String> first = new CompletableFuture<>();
        limit.run(() -> first);
        List<CompletableFuture<String>> failing = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            failing.add(limit.run(() -> Futures.failed(Errno.EIO, "broken")));
        }

        first.complete("done");

        assertThat(failing).allMatch(CompletableFuture::isCompletedExceptionally);
    }

    @Test
    void shouldGoOnAfterATaskThatRanOutOfMemory() {
        ConcurrencyLimit limit = new ConcurrencyLimit(1, 1);

        CompletableFuture<String> failed = limit.run(() -> {
            throw new OutOfMemoryError("no direct memory");
        });
        limit.run(this::task);

        assertThat(failed).isCompletedExceptionally();
        assertThat(started).hasSize(1);
    }

    private CompletableFuture<String> task() {
        CompletableFuture<String> task = new CompletableFuture<>();
        started.add(task);
        return task;
    }
}
