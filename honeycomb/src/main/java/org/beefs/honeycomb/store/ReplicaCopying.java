package org.beefs.honeycomb.store;

import java.util.concurrent.atomic.AtomicLong;
import org.beefs.common.replica.ReplicaAccess.Copied;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.store.OpenReplicas.Use;
import org.jspecify.annotations.Nullable;

/**
 * Copies content between two replicas, or inside of one, on the disk that they share. Thread-safe: two orders are
 * always taken in that of the replicas' numbers.
 */
final class ReplicaCopying {
    private final OpenReplicas open;
    private final Existence existence;
    private final Observer observer;
    private final ReplicaOperations operations;

    ReplicaCopying(OpenReplicas open, Existence existence, Observer observer, ReplicaOperations operations) {
        this.open = open;
        this.existence = existence;
        this.observer = observer;
        this.operations = operations;
    }

    Copied copy(ReplicaTarget source, long from, ReplicaTarget target, long to, long length) {
        Authority.READ.check(source);
        Authority.WRITE.check(target);
        try (Use reading = open.use(ReplicaId.of(source));
                Use writing = open.use(ReplicaId.of(target))) {
            Replica read = reading.replica();
            Replica written = writing.replica();
            operations.ensure(written, target);
            boolean ascending = read.id().compareTo(written.id()) <= 0;
            try (var _ = (ascending ? read : written).holdShared();
                    var _ = (ascending ? written : read).holdShared()) {
                ReplicaFile file = existence.require(written, target);
                ReplicaFile content = existence.find(read, source);
                return copy(content, from, written, file, to, length);
            }
        }
    }

    private Copied copy(
            @Nullable ReplicaFile source, long from, Replica written, ReplicaFile file, long to, long length) {
        long present = source == null ? 0 : Math.min(length, source.status().size() - from);
        if (source == null || present <= 0) {
            return new Copied(0, observer.observe(written, file));
        }
        AtomicLong copied = new AtomicLong();
        ReplicaStatus status = operations.change(
                written,
                file,
                (replica, now) -> replica.growth(to, present),
                target -> copied.set(target.copyAll(source, from, to, present)));
        return new Copied(copied.get(), status);
    }
}
