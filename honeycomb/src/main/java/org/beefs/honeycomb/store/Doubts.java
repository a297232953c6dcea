package org.beefs.honeycomb.store;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBufAllocator;
import java.util.HashSet;
import java.util.Set;
import org.beefs.common.collection.EldestFirst;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.honeycomb.catalog.ScrubStore;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.store.content.ContentDigest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * After a stop that was not in order, replicas that carry a version may have lost content with the power. So whoever
 * opens one first has it compared with its checksum before anything is done with it, until all were. Thread-safe.
 */
public final class Doubts {
    /** A larger file is not waited for: reading it takes longer than a program would wait. It is checked next. */
    static final long LARGEST = 64 << 20;

    /** Replicas that are remembered beside the round. */
    private static final int BOUND = 65_536;

    private static final Logger LOG = LoggerFactory.getLogger(Doubts.class);

    private final ScrubStore checksums;
    private final Rot rot;
    private final CheckQueue queue;
    private final ByteBufAllocator buffers;
    private final int bound;
    private volatile boolean begun;

    // Guarded by settled.

    /**
     * Replicas that were checked before the round has come to them; when there are too many the first is forgotten, and
     * only checked again.
     */
    private final Set<ReplicaId> settled;

    /** The first replica that the round has come past since the start; null for none yet. */
    private @Nullable ReplicaId first;

    /** The last one. All from the first on are settled, but for those that were not checked. */
    private @Nullable ReplicaId last;

    private final Set<ReplicaId> passedBy = new HashSet<>();

    /** Whether more were passed by than are remembered: then how far the round has come tells nothing. */
    private boolean lost;

    Doubts(ScrubStore checksums, Rot rot, CheckQueue queue, ByteBufAllocator buffers) {
        this(checksums, rot, queue, buffers, BOUND);
    }

    Doubts(ScrubStore checksums, Rot rot, CheckQueue queue, ByteBufAllocator buffers, int bound) {
        this.checksums = checksums;
        this.rot = rot;
        this.queue = queue;
        this.buffers = buffers;
        this.bound = bound;
        this.settled = EldestFirst.set(bound);
    }

    /** From now on nothing is believed. */
    public void begin() {
        begun = true;
    }

    /** All replicas were checked. */
    public void end() {
        begun = false;
        synchronized (settled) {
            settled.clear();
            passedBy.clear();
            first = null;
            last = null;
            lost = false;
        }
    }

    /**
     * The round has come past a replica, and all before it: it goes in their order. It has compared it, or there was
     * nothing to compare, unless {@link #passBy} tells otherwise.
     */
    public void pass(ReplicaId id) {
        synchronized (settled) {
            if (!begun || lost) {
                return;
            }
            settled.remove(id);
            first = first == null ? id : first;
            last = last == null || last.compareTo(id) < 0 ? id : last;
        }
    }

    /** A replica could not be checked, though the round has come or comes to it. */
    public void passBy(ReplicaId id) {
        synchronized (settled) {
            settled.remove(id);
            if (begun && !passedBy.contains(id)) {
                if (passedBy.size() < bound) {
                    passedBy.add(id);
                } else {
                    lost = true;
                    first = null;
                    last = null;
                }
            }
        }
    }

    /** Checks a replica that somebody has begun to use. The caller holds no order. */
    void settle(Replica replica) {
        if (!concerns(replica)) {
            return;
        }
        try (var _ = replica.holdExclusively()) {
            ReplicaFile file = replica.file();
            boolean gone = replica.isDropped() || replica.isSuperseded(); // while the order was waited for
            if (file != null && !gone && !isSettled(replica.id())) {
                check(replica, file);
            }
        }
    }

    /** A replica was compared as it is now, and is what it was. Needs its exclusive order. */
    void settled(Replica replica) {
        queue.remove(replica.id());
        if (begun) {
            remember(replica.id());
        }
    }

    /**
     * Whether it has yet to be checked. Waits for nothing. What carries no version, or is marked already, has nothing
     * to be compared with.
     */
    boolean concerns(Replica replica) {
        ReplicaDescription says = replica.lastDescription();
        return begun && replica.exists() && says.getVersion() != 0 && !says.getRotten() && !isSettled(replica.id());
    }

    private void check(Replica replica, ReplicaFile file) {
        ReplicaDescription says = replica.description();
        if (says.getVersion() == 0 || says.getRotten()) {
            return;
        }
        ByteString checksum = checksum(replica.id(), says.getVersion());
        String fault;
        try { // nothing else is in here: only a failure of the replica's own file says that it cannot be read
            fault = fault(replica.id(), file, checksum);
        } catch (PosixException e) {
            if (e.errno() != Errno.EIO) {
                warn(replica.id(), e);
                return;
            }
            fault = "cannot be read: " + e.getMessage();
        }
        if (fault != null) {
            rot.mark(replica, says, file, fault); // it stays in doubt, and its user's call fails, until it is marked
        }
        remember(replica.id());
    }

    /**
     * The checksum of a version; null when none is known, or none can be read: then the catalog is at fault, and not
     * the replica.
     */
    private @Nullable ByteString checksum(ReplicaId id, long version) {
        try {
            return checksums.checksum(id, version);
        } catch (PosixException e) {
            warn(id, e);
            return null;
        }
    }

    private static void warn(ReplicaId id, PosixException failure) {
        LOG.warn("{} could not be checked, and will be later: {}", id, failure.getMessage());
    }

    /** What is wrong with its content, as the end of a sentence; null when nothing is, or that is found out later. */
    private @Nullable String fault(ReplicaId id, ReplicaFile file, @Nullable ByteString checksum) {
        if (checksum == null || file.status().size() > LARGEST) {
            queue.add(id);
            return null;
        }
        return ContentDigest.of(file, buffers).equals(checksum)
                ? null
                : "has another content than before the last start";
    }

    private boolean isSettled(ReplicaId id) {
        synchronized (settled) {
            return settled.contains(id) || (isPassed(id) && !passedBy.contains(id));
        }
    }

    private boolean isPassed(ReplicaId id) {
        return first != null && last != null && first.compareTo(id) <= 0 && id.compareTo(last) <= 0;
    }

    private void remember(ReplicaId id) {
        synchronized (settled) {
            passedBy.remove(id);
            if (!isPassed(id)) {
                settled.add(id);
            }
        }
    }
}
