package org.beefs.honeycomb.store;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.channels.FileChannel;
import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.common.wire.SetTimes;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.store.OpenReplicas.Use;
import org.beefs.honeycomb.store.content.Checksums;
import org.beefs.honeycomb.store.content.Content;
import org.jspecify.annotations.Nullable;

/**
 * The operations on replicas, done on the calling thread. Thread-safe. Fails with {@link PosixException}, as
 * {@link org.beefs.common.replica.ReplicaAccess} says.
 */
final class ReplicaOperations {
    private static final int FALLOC_KEEP_SIZE = 0x01;
    private static final int FALLOC_PUNCH_HOLE = 0x02;
    private static final int FALLOC_ZERO_RANGE = 0x10;

    private static final Change EMPTYING = new Change() {
        @Override
        public void apply(ReplicaFile file) {
            file.truncate(0);
        }

        @Override
        public boolean empties() {
            return true;
        }
    };

    private final ReplicaFiles files;
    private final Space space;
    private final Observer observer;
    private final ByteBufAllocator buffers;
    private final OpenReplicas open;
    private final Existence existence;
    private final WriteGate gate;

    ReplicaOperations(
            ReplicaFiles files,
            Space space,
            Observer observer,
            ByteBufAllocator buffers,
            OpenReplicas open,
            Existence existence,
            WriteGate gate) {
        this.files = files;
        this.space = space;
        this.observer = observer;
        this.buffers = buffers;
        this.open = open;
        this.existence = existence;
        this.gate = gate;
    }

    /** A change of a replica's content, with its order held. */
    interface Change {
        void apply(ReplicaFile file);

        /** Whether nothing is left of the content. */
        default boolean empties() {
            return false;
        }
    }

    /** The most bytes that a change may allocate. */
    interface Growth {
        long of(Replica replica, ReplicaFile file);
    }

    Payload read(ReplicaTarget target, long offset, int length) {
        return look(target, Authority.READ, (replica, file) -> {
            if (file == null) {
                return Payload.NONE;
            }
            ByteBuf content = Content.read(file, offset, length, buffers);
            return new Payload.Bytes(content);
        });
    }

    /**
     * As {@link #read}; the answer may be a slice of the file, which stays open until the answer is closed. Only what
     * is in memory is: a slice is sent by the network's thread, which must not wait for the disk, and cannot answer its
     * EIO.
     */
    Payload readForSending(ReplicaTarget target, long offset, int length) {
        @Nullable Payload slice = look(target, Authority.READ, (replica, file) -> slice(replica, file, offset, length));
        return slice == null ? read(target, offset, length) : slice;
    }

    private @Nullable Payload slice(Replica replica, @Nullable ReplicaFile file, long offset, int length) {
        if (file == null || length < Content.SLICE_MINIMUM || replica.changes() > 0) {
            return null;
        }
        long present = Math.min(length, file.status().size() - offset); // far below 0 far beyond the end
        FileChannel channel = file.channel();
        if (present < Content.SLICE_MINIMUM || channel == null) {
            return null;
        }
        if (!Content.isAtHand(file, offset, (int) present, buffers)) {
            return null;
        }
        open.useAgain(replica);
        return new Payload.FileSlice(channel, offset, (int) present, () -> open.leave(replica));
    }

    byte[] checksums(ReplicaTarget target, long offset, int blocks) {
        return look(
                target,
                Authority.READ,
                (replica, file) -> file == null ? new byte[0] : Checksums.of(file, offset, blocks, buffers));
    }

    ReplicaStatus write(ReplicaTarget target, long offset, boolean append, ByteBuf content) {
        int length = content.readableBytes();
        if (length == 0) {
            return look(target, Authority.WRITE, observer::observe);
        }
        if (append) {
            return change(
                    target,
                    true,
                    (replica, file) -> replica.growth(file.status().size(), length),
                    file -> Content.append(file, content));
        }
        return change(
                target,
                false,
                (replica, file) -> replica.growth(offset, length),
                file -> Content.write(file, content, offset));
    }

    ReplicaStatus truncate(ReplicaTarget target, long size) {
        return change(target, true, (replica, file) -> 0, size == 0 ? EMPTYING : file -> file.truncate(size));
    }

    ReplicaStatus allocate(ReplicaTarget target, int mode, long offset, long length) {
        boolean punches = (mode & FALLOC_PUNCH_HOLE) != 0;
        if ((mode & ~(FALLOC_KEEP_SIZE | FALLOC_PUNCH_HOLE | FALLOC_ZERO_RANGE)) != 0) {
            throw new PosixException(Errno.EOPNOTSUPP, "fallocate mode %#x is not supported".formatted(mode));
        }
        return change(
                target,
                true,
                (replica, file) -> punches ? 0 : replica.growth(offset, length),
                file -> file.allocate(mode, offset, length));
    }

    ReplicaStatus setTimes(ReplicaTarget target, SetTimes times) {
        return look(target, Authority.WRITE, (replica, file) -> {
            gate.checkLease();
            if (file != null) {
                gate.checkOpen(replica.id());
                file.setTimes(times);
            }
            return observer.observe(replica, file);
        });
    }

    ReplicaStatus sync(ReplicaTarget target, boolean dataOnly) {
        Authority.EITHER.check(target);
        try (Use use = open.use(ReplicaId.of(target))) {
            Replica replica = use.replica();
            // The order is not held meanwhile: a slow disk must not keep others from reading and writing.
            ReplicaFile file = existence.find(replica, target);
            if (file != null) {
                replica.sync(files, file, dataOnly);
            }
            return observer.observe(replica, file);
        }
    }

    /**
     * The status of a replica, also of one that should be there and is not: its absence is the answer, unless a later
     * start may bring it back.
     */
    ReplicaStatus status(ReplicaTarget target) {
        Authority.LOOK.check(target);
        try (Use use = open.use(ReplicaId.of(target));
                var _ = use.replica().holdShared()) {
            Replica replica = use.replica();
            ReplicaDescription says = replica.description();
            replica.checkEpoch(target, says);
            Replica.checkUsable(replica.id(), says);
            return observer.observe(replica, replica.file());
        }
    }

    /**
     * As {@link #status}, for the queen-bee, which needs no capability, and commits what she is told. Fails with EBUSY
     * while somebody may write the file in passthrough.
     */
    ReplicaStatus examine(ReplicaId id) {
        try (Use use = open.use(id);
                var _ = use.replica().holdExclusively()) {
            Replica replica = use.replica();
            if (replica.isWrittenElsewhere()) {
                throw new PosixException(Errno.EBUSY, id + " is still open for writing, or mapped");
            }
            Replica.checkUsable(id, replica.description());
            return observer.observe(replica, replica.file());
        }
    }

    long seek(ReplicaTarget target, long offset, boolean hole) {
        return look(target, Authority.EITHER, (replica, file) -> {
            if (file == null || offset < 0) {
                throw new PosixException(Errno.ENXIO, "offset %d is not in the file".formatted(offset));
            }
            return file.seek(offset, hole);
        });
    }

    /** Removes a replica of this epoch or an earlier one; 0 is any. */
    void drop(ReplicaId id, long epoch) {
        boolean done = false;
        while (!done) {
            try (Use use = open.useToRemove(id)) {
                done = existence.drop(use.replica(), epoch);
                if (use.replica().isDropped()) {
                    gate.open(id);
                }
            }
        }
    }

    void syncDrops(List<ReplicaId> dropped) {
        files.syncRemovals(dropped);
    }

    private interface Look<T extends @Nullable Object> {
        T at(Replica replica, @Nullable ReplicaFile file);
    }

    private <T extends @Nullable Object> T look(ReplicaTarget target, Authority authority, Look<T> look) {
        authority.check(target);
        try (Use use = open.use(ReplicaId.of(target));
                var _ = use.replica().holdShared()) {
            return look.at(use.replica(), existence.find(use.replica(), target));
        }
    }

    private ReplicaStatus change(ReplicaTarget target, boolean alone, Growth growth, Change change) {
        Authority.WRITE.check(target);
        try (Use use = open.use(ReplicaId.of(target))) {
            Replica replica = use.replica();
            ensure(replica, target);
            try (var _ = alone ? replica.holdExclusively() : replica.holdShared()) {
                ReplicaFile file = existence.require(replica, target);
                return change(replica, file, growth, change);
            }
        }
    }

    /** Makes the replica before its first change. The caller does not hold the order. */
    void ensure(Replica replica, ReplicaTarget target) {
        gate.checkLease();
        existence.ensure(replica, target);
    }

    /** Makes a change; the order is held. */
    ReplicaStatus change(Replica replica, ReplicaFile file, Growth most, Change change) {
        gate.checkLease();
        gate.checkOpen(replica.id());
        if (replica.writers > 0) {
            observer.recount(replica, file); // what was last observed may be long past
        }
        long growth = most.of(replica, file);
        space.reserve(growth);
        boolean done = false;
        try {
            existence.beginChange(replica, file, change.empties());
            change.apply(file);
            ReplicaStatus status = observer.observe(replica, file);
            done = true;
            return status;
        } finally {
            if (!done) {
                observer.recount(replica, file);
            }
            space.release(growth);
        }
    }

    /** Whether it carries a version, so that its first change waits for the disk. */
    boolean carriesVersion(ReplicaTarget target) {
        try (Use use = open.use(ReplicaId.of(target))) {
            return use.replica().exists() && use.replica().description().getVersion() != 0;
        }
    }

    /** Takes the version off a replica that is going to be changed, if it may be. */
    ReplicaStatus takeVersionOff(ReplicaTarget target) {
        Authority.WRITE.check(target);
        try (Use use = open.use(ReplicaId.of(target));
                var _ = use.replica().holdExclusively()) {
            Replica replica = use.replica();
            ReplicaFile file = existence.require(replica, target);
            if (gate.isOpen(replica.id())) {
                existence.beginChange(replica, file, false);
            }
            return observer.observe(replica, file);
        }
    }
}
