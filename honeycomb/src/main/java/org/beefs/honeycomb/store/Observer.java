package org.beefs.honeycomb.store;

import java.util.concurrent.atomic.AtomicLong;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.honeycomb.disk.FileStatus;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.Untouched;
import org.beefs.honeycomb.state.Boot;
import org.jspecify.annotations.Nullable;

/**
 * Looks at replicas, numbers what it sees, and keeps account of the space they take. Thread-safe.
 *
 * <p>Numbers ascend, also across restarts: the boot counter is in the upper 24 bits, so that a boot has 2^40 of them.
 * The look at a replica and its number are taken together under the replica's monitor, so that of two observations of
 * one replica the later has the higher number.
 */
final class Observer {
    private static final int BITS_PER_BOOT = 40;

    private final Space space;
    private final AtomicLong last;
    private final long lostBelow;

    Observer(Space space, Boot boot) {
        this.space = space;
        this.last = new AtomicLong(boot.number() << BITS_PER_BOOT);
        this.lostBelow = boot.afterLoss() << BITS_PER_BOOT;
    }

    ReplicaStatus observe(Replica replica, @Nullable ReplicaFile file) {
        ReplicaStatus.Builder seen = ReplicaStatus.newBuilder();
        synchronized (replica) {
            if (file != null) {
                FileStatus status = file.status();
                long difference = replica.observed(status);
                if (!replica.isDropped()) { // what was removed takes nothing
                    space.countReplicas(difference);
                }
                seen = seen(status).setVersion(replica.description().getVersion());
            }
            return seen.setInode(replica.id().inode())
                    .setObservation(last.incrementAndGet())
                    .setLostBelow(lostBelow)
                    .build();
        }
    }

    /** The status of a file that exists. */
    static ReplicaStatus.Builder seen(FileStatus status) {
        return ReplicaStatus.newBuilder()
                .setExists(true)
                .setSize(status.size())
                .setBlocks(status.blocks())
                .setAtime(status.atime())
                .setMtime(status.mtime())
                .setCtime(status.ctime())
                .setUntouched(Untouched.is(status));
    }

    /**
     * Takes account of the space that the file takes now. Never fails: the next observation makes up for what was
     * missed.
     */
    void recount(Replica replica, ReplicaFile file) {
        try {
            observe(replica, file);
        } catch (PosixException alsoFailed) {
            // If something else failed before, that is to be reported.
        }
    }
}
