package org.beefs.common.replica;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.ReplicaTarget;

/** The replicas of a honeycomb in this process, whose files the kernel may use as well. Thread-safe. */
public interface LocalReplicaAccess extends ReplicaAccess {
    /**
     * Prepares a replica, if there is one, to be written. Done when it says on disk that it is no committed version any
     * more. Without this the first change waits for that, or the pin.
     */
    CompletableFuture<Void> prepareToWrite(ReplicaTarget target);

    /**
     * Pins a replica's file. A replica that does not exist yet is made when it may be written. Waits for the local disk
     * only; fails as the methods of {@link ReplicaAccess} do.
     *
     * @param write the file may be written past the honeycomb, which does not see how much
     * @param required somebody has the same file pinned for the same purpose, so that no must not be the answer
     * @return empty when it is better, or the only way, to go through the honeycomb: there is little space left, so
     *     that somebody has to watch it; very many files are pinned; there is no file; or this disk does not tell who
     *     writes a file
     */
    Optional<ReplicaPin> pin(ReplicaTarget target, boolean write, boolean required);

    /**
     * Whether a pin that may write the replica has not ended: programs may be writing the file, or have it mapped still
     * ({@link ReplicaPin#release}).
     */
    boolean isPinnedToWrite(ReplicaTarget target);
}
