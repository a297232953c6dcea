package org.beefs.honeybee;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.junit.jupiter.api.Test;

class AdmissionTest {
    private final List<CompletableFuture<String>> started = new ArrayList<>();

    @Test
    void shouldRunNoMoreThanAllowedAtATime() {
        Admission admission = new Admission(2, 10);
        List<CompletableFuture<String>> results = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            results.add(admission.run(this::task));
        }
        assertThat(started).hasSize(2);

        started.getFirst().complete("done");

        assertThat(results.getFirst()).isCompletedWithValue("done");
        assertThat(started).hasSize(3);
    }

    @Test
    void shouldRefuseWhenTooManyWait() {
        Admission admission = new Admission(1, 1);
        admission.run(this::task);
        admission.run(this::task);

        CompletableFuture<String> surplus = admission.run(this::task);

        assertThat(Failures.toPosix(surplus.exceptionNow()).errno()).isEqualTo(Errno.EAGAIN);
    }

    @Test
    void shouldGoOnAfterManyFailuresAtOnce() {
        Admission admission = new Admission(1, 100_000);
        CompletableFuture<String> first = new CompletableFuture<>();
        admission.run(() -> first);
        List<CompletableFuture<String>> failing = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            failing.add(admission.run(() -> Futures.failed(Errno.EIO, "broken")));
        }

        first.complete("done");

        assertThat(failing).allMatch(CompletableFuture::isCompletedExceptionally);
    }

    @Test
    void shouldGoOnAfterATaskThatRanOutOfMemory() {
        Admission admission = new Admission(1, 1);

        CompletableFuture<String> failed = admission.run(() -> {
            throw new OutOfMemoryError("no direct memory");
        });
        admission.run(this::task);

        assertThat(failed).isCompletedExceptionally();
        assertThat(started).hasSize(1);
    }

    private CompletableFuture<String> task() {
        CompletableFuture<String> task = new CompletableFuture<>();
        started.add(task);
        return task;
    }
}
