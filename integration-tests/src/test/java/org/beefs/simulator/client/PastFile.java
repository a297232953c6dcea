package org.beefs.simulator.client;

import java.util.concurrent.CompletableFuture;
import org.beefs.honeycomb.memory.OutsideFile;

/**
 * A file that a program uses past the daemon, which it need not ask any more: through a mapping whose descriptor is
 * closed, or through a descriptor that has outlived the daemon.
 *
 * @param handle that it was opened by
 * @param mapped whether it is a mapping, so that writes are stores
 * @param orphan whether the daemon has died that it was opened by
 * @param released done when the hive knows that nobody uses it any more
 */
record PastFile(OutsideFile file, OpenHandle handle, boolean mapped, boolean orphan, CompletableFuture<Void> released) {
    long inode() {
        return handle.inode();
    }

    /** The daemon has died: nobody is told any more. */
    PastFile orphaned() {
        return new PastFile(file, handle, mapped, true, CompletableFuture.completedFuture(null));
    }

    /**
     * Whether it certainly shows what is written elsewhere, too. Who has been fenced goes on reading what he had;
     * nobody can take that away. The same goes for who only reads past a daemon that has died: nobody finds him, and
     * the primary may move.
     */
    boolean isCurrent() {
        return !file.isFenced() && (!orphan || handle.write());
    }
}
