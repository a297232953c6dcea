package org.beefs.queenbee.console.login;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;

/**
 * Has passwords tried one at a time, because hashing one keeps a processor busy, which the queen-bee needs for other
 * things. Addresses take turns: who tries many at once from one makes others wait for one of them only. Thread-safe.
 */
final class HashQueue {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Semaphore processor = new Semaphore(1, true);
    private final Map<String, Line> lines = new HashMap<>();

    /** Attempts from one address, of which the first waits for the processor. */
    private static final class Line {
        final Semaphore first = new Semaphore(1, true);
        int length;
    }

    /**
     * Tries one when its turn has come. Fails with EAGAIN when that takes too long.
     *
     * @param from the address
     */
    boolean tryPassword(String from, BooleanSupplier password) throws InterruptedException {
        Line line = join(from);
        try {
            return inTurn(line.first, () -> inTurn(processor, password::getAsBoolean));
        } finally {
            leave(from, line);
        }
    }

    private synchronized Line join(String from) {
        Line line = lines.computeIfAbsent(from, _ -> new Line());
        line.length++;
        return line;
    }

    private synchronized void leave(String from, Line line) {
        if (--line.length == 0) {
            lines.remove(from);
        }
    }

    /** What may have to wait. */
    @FunctionalInterface
    private interface Trial {
        boolean run() throws InterruptedException;
    }

    private static boolean inTurn(Semaphore turn, Trial trial) throws InterruptedException {
        if (!turn.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new PosixException(Errno.EAGAIN, "too many people log in at once; try again");
        }
        try {
            return trial.run();
        } finally {
            turn.release();
        }
    }
}
