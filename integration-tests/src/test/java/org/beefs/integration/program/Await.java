package org.beefs.integration.program;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what will happen, with a deadline instead of a guess. */
public final class Await {
    private static final Duration POLL = Duration.ofMillis(10);

    private Await() {}

    /** Fails with the sentence when the condition does not hold within the time. */
    public static void until(Duration deadline, String sentence, BooleanSupplier condition) {
        until(deadline, () -> sentence, condition);
    }

    /** Like the other, with a sentence that is made when it is needed. */
    public static void until(Duration deadline, Supplier<String> sentence, BooleanSupplier condition) {
        if (!within(deadline, condition)) {
            throw new AssertionError("not within " + deadline + ": " + sentence.get());
        }
    }

    /** Whether the condition holds within the time. */
    public static boolean within(Duration deadline, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > deadline.toNanos()) {
                return false;
            }
            pause(POLL);
        }
        return true;
    }

    /** Lets time pass, where that is what the test does to the hive, such as a stopped process. */
    public static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("the test was interrupted", e);
        }
    }
}
