package org.beefs.honeybee.filesystem.content;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.beefs.common.posix.Failures;
import org.beefs.honeybee.queen.QueenProxy;

/**
 * Tries changes again that have found their honeycombs full, as soon as the queen-bee has made room there. Thread-safe.
 */
final class FullHoneycombs {
    /**
     * Before each of these tries replicas have left; but others may have taken their room. What needs much has more
     * ({@link #LEAST_MADE}).
     */
    private static final int LEAST_TRIES = 32;

    /** At least about what leaves at a time, where small files do (bytes). */
    private static final long LEAST_MADE = 1 << 20;

    private final QueenProxy queen;

    FullHoneycombs(QueenProxy queen) {
        this.queen = queen;
    }

    /**
     * What the change of a file's content answers, tried again while it fails with ENOSPC or EDQUOT and room can be
     * made.
     *
     * @param growth bytes that it may need at its honeycomb
     */
    <T> CompletableFuture<T> relieve(long inode, long growth, Supplier<CompletableFuture<T>> change) {
        return attempt(inode, growth, change, LEAST_TRIES + growth / LEAST_MADE);
    }

    private <T> CompletableFuture<T> attempt(
            long inode, long growth, Supplier<CompletableFuture<T>> change, long triesLeft) {
        return change.get().exceptionallyCompose(failure -> {
            if (triesLeft == 0 || !Failures.toPosix(failure).errno().saysFull()) {
                return CompletableFuture.failedFuture(failure);
            }
            return queen.makeRoom(inode, growth)
                    .handle((made, hopeless) -> hopeless == null)
                    .thenCompose(made -> made
                            ? attempt(inode, growth, change, triesLeft - 1)
                            : CompletableFuture.failedFuture(failure));
        });
    }
}
