package org.beefs.honeycomb.server;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** On a machine on which now and then no thread can be made. */
class DiskThreadsTest {
    private volatile boolean exhausted;
    private final DiskThreads threads = new DiskThreads(2, this::factory);

    @AfterEach
    void close() {
        threads.close();
    }

    @Test
    void shouldRejectWhatNoThreadCanBeMadeFor() {
        exhausted = true;
        assertThatExceptionOfType(RejectedExecutionException.class)
                .isThrownBy(() -> threads.io().execute(() -> {}))
                .withCauseInstanceOf(OutOfMemoryError.class);

        exhausted = false;
        CompletableFuture.runAsync(() -> {}, threads.io()).join();
    }

    @Test
    void shouldHaveTheThreadThatFencesBeforeItIsNeeded() {
        exhausted = true;

        CompletableFuture.runAsync(() -> {}, threads.fencing()).join();
    }

    private ThreadFactory factory(String name) {
        return work -> {
            if (exhausted) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return Thread.ofPlatform().name(name).daemon().unstarted(work);
        };
    }
}
