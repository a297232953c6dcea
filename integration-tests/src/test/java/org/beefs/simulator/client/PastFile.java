package org.beefs.simulator.client;

import java.util.concurrent.CompletableFuture;
import org.beefs.honeycomb.memory.OutsideFile;

/**
 * A file that a program uses past the daemon, which it need not ask any more: through a mapping whose descriptor is closed, or
 * through a descriptor that has outlived the daemon.
 *
 * @param handle that it was opened by
 * @param mapped whether it is a mapping, so that writes are stores
 * @param released done when the hive knows that nobody uses it any more
 * @param deaths of daemons that it has outlived
 */
record PastFile(OutsideFile file, OpenHandle handle, boolean mapped, CompletableFuture<Void> released, int deaths) {
    long inode() {
        return handle.inode();
    }

    /** The daemon has died: nobody is told any more. */
    PastFile orphaned() {
        return new PastFile(file, handle, mapped, CompletableFuture.completedFuture(null), deaths + 1);
    }
}
