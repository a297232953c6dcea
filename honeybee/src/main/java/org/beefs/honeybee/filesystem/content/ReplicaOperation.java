package org.beefs.honeybee.filesystem.content;

import java.util.concurrent.CompletableFuture;
import org.beefs.common.replica.ReplicaAccess;
import org.beefs.common.wire.ReplicaTarget;

/** Something that is done with a replica of a file, whichever that is. */
@FunctionalInterface
interface ReplicaOperation<T> {
    CompletableFuture<T> on(ReplicaAccess replicas, ReplicaTarget target);
}
