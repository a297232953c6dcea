package org.beefs.honeycomb.store;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBufAllocator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.honeycomb.catalog.ScrubStore;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * After a stop that was not in order, replicas that carry a version may have lost content with the power. So whoever opens one first has it
 * compared with its checksum before anything is done with it, until all were. Thread-safe.
 */
public final class Doubts {
    /** A larger file is not waited for: reading it takes longer than a program would wait. It is checked next. */
    static final long LARGEST = 64 << 20;

    /** Those that are remembered as checked; what is forgotten is only checked again. */
    private static final int BOUND = 65_536;

    private static final Logger LOG = LoggerFactory.getLogger(Doubts.class);

    private final ScrubStore checksums;
    private final Rot rot;
    private final CheckQueue queue;
    private final ByteBufAllocator buffers;
    private final Set<ReplicaId> settled = new LinkedHashSet<>();
    private volatile boolean open;

    Doubts(ScrubStore checksums, Rot rot, CheckQueue queue, ByteBufAllocator buffers) {
        this.checksums = checksums;
        this.rot = rot;
        this.queue = queue;
        this.buffers = buffers;
    }

    /** From now on nothing is believed. */
    public void begin() {
        open = true;
    }

    /** All replicas were checked. */
    public void end() {
        open = false;
        synchronized (settled) {
            settled.clear();
        }
    }

    /** Checks a replica that somebody has begun to use. The caller holds no order. */
    void settle(Replica replica) {
        if (!concern(replica)) {
            return;
        }
        Lock order = replica.exclusive();
        order.lock();
        try {
            ReplicaFile file = replica.file();
            if (file != null && !isSettled(replica.id())) {
                check(replica, file);
            }
        } finally {
            order.unlock();
        }
    }

    /** Whether it has yet to be checked. */
    boolean concern(Replica replica) {
        return open && replica.exists() && !isSettled(replica.id());
    }

    private void check(Replica replica, ReplicaFile file) {
        ReplicaDescription says = replica.description();
        if (says.getVersion() == 0 || says.getRotten()) {
            return;
        }
        try {
            ByteString checksum = checksums.checksum(replica.id(), says.getVersion());
            if (checksum == null || file.status().size() > LARGEST) {
                queue.add(replica.id());
            } else if (!ContentDigest.of(file, buffers).equals(checksum)) {
                rot.mark(replica, file, "has another content than before the last start");
            }
            remember(replica.id());
        } catch (PosixException e) {
            if (e.errno() == Errno.EIO) {
                rot.mark(replica, file, "cannot be read: " + e.getMessage());
            } else {
                LOG.warn("{} could not be checked, and will be later: {}", replica.id(), e.getMessage());
            }
        }
    }

    private boolean isSettled(ReplicaId id) {
        synchronized (settled) {
            return settled.contains(id);
        }
    }

    private void remember(ReplicaId id) {
        synchronized (settled) {
            if (settled.add(id) && settled.size() > BOUND) {
                settled.remove(settled.iterator().next());
            }
        }
    }
}
