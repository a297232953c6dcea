package org.beefs.queenbee.console.login;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.beefs.common.time.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who waits for whom when many passwords are tried at once. */
@Timeout(30)
class HashQueueTest {
    private static final int GUESSES = 10;
    private static final Set<Thread.State> WAITING = EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

    private final HashQueue queue = new HashQueue();
    private final List<String> tried = Collections.synchronizedList(new ArrayList<>());
    private final List<Thread> waiting = new ArrayList<>();
    private final CountDownLatch slow = new CountDownLatch(1);

    @Test
    void shouldWaitForOnePasswordOnlyOfAnAddressThatGuesses() throws InterruptedException {
        tryPassword("guesser", this::beSlow);
        for (int i = 1; i < GUESSES; i++) {
            tryPassword("guesser", () -> {});
        }
        tryPassword("administrator", () -> {});

        slow.countDown();
        for (Thread thread : waiting) {
            thread.join();
        }

        assertThat(tried).hasSize(GUESSES + 1).startsWith("guesser", "administrator", "guesser");
    }

    /** Returns when it waits. */
    private void tryPassword(String from, Runnable hashing) {
        Thread thread = Thread.ofPlatform().start(() -> run(from, hashing));
        waiting.add(thread);
        Await.until("it waits", () -> WAITING.contains(thread.getState()));
    }

    private void run(String from, Runnable hashing) {
        try {
            queue.tryPassword(from, () -> {
                hashing.run();
                return tried.add(from);
            });
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void beSlow() {
        try {
            slow.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
