package org.beefs.common.time;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waiting in tests for what a thread, a program or the kernel does without telling, with a deadline. */
public final class Await {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration STEP = Duration.ofMillis(1);

    private Await() {}

    /** A look at something, which may fail in its own way. */
    @FunctionalInterface
    public interface Condition<E extends Exception> {
        boolean holds() throws E;
    }

    /** Fails with the sentence when the condition does not hold within a minute. */
    public static <E extends Exception> void until(String sentence, Condition<E> condition) throws E {
        long start = System.nanoTime();
        while (!condition.holds()) {
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                throw new AssertionError("not within " + PATIENCE + ": " + sentence);
            }
            LockSupport.parkNanos(STEP.toNanos());
        }
    }
}
