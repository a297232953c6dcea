package org.beefs.cli.process;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.beefs.common.time.ProductionOnly;

/** Waiting for what other processes do, of which nobody tells us. */
@ProductionOnly
public final class Await {
    private static final Duration STEP = Duration.ofMillis(20);

    private Await() {}

    /** Waits that long; answers whether it was interrupted, which ends the wait. The thread stays interrupted. */
    public static boolean interruptWithin(Duration time) {
        return until(time, () -> Thread.currentThread().isInterrupted());
    }

    /** Looks every 20 ms until the condition holds or the time is over; answers whether it holds. */
    public static boolean until(Duration patience, BooleanSupplier condition) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline >= 0) {
                return false;
            }
            try {
                Thread.sleep(STEP);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return condition.getAsBoolean();
            }
        }
        return true;
    }
}
