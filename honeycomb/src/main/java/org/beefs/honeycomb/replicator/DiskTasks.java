package org.beefs.honeycomb.replicator;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Errno;

/** Runs work that waits for the disk. Thread-safe. */
record DiskTasks(Executor executor) {
    /** Fails with EAGAIN when too much waits already. */
    <T> CompletableFuture<T> run(Supplier<T> work) {
        try {
            return CompletableFuture.supplyAsync(work, executor);
        } catch (RejectedExecutionException e) {
            return Futures.failed(Errno.EAGAIN, "too much waits for the disk");
        }
    }
}
