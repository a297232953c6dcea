package org.beefs.honeycomb.store;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.store.OpenReplicas.Use;
import org.beefs.honeycomb.store.Replica.Hold;
import org.beefs.honeycomb.store.content.Content;
import org.jspecify.annotations.Nullable;

/**
 * Small reads for threads that must not wait: of replicas whose files are open, whose order is free, and whose content
 * is in memory. Answers and refusals are those of {@link ReplicaOperations#read}. Thread-safe.
 */
final class ReadsAtHand {
    private final OpenReplicas open;
    private final ByteBufAllocator buffers;

    ReadsAtHand(OpenReplicas open, ByteBufAllocator buffers) {
        this.open = open;
        this.buffers = buffers;
    }

    /**
     * At most so many bytes from there, fewer only at the end of the file, in a buffer that the caller owns; null when
     * it would take waiting, or may.
     *
     * @throws PosixException as {@link ReplicaOperations#read}
     */
    @Nullable
    ByteBuf read(ReplicaTarget target, long offset, int length) {
        if (length >= Content.SLICE_MINIMUM) {
            return null;
        }
        Authority.READ.check(target);
        try (Use use = open.useAtHand(ReplicaId.of(target));
                Hold order = use == null ? null : use.replica().tryToHoldShared()) {
            return use == null || order == null ? null : read(use.replica(), target, offset, length);
        }
    }

    private @Nullable ByteBuf read(Replica replica, ReplicaTarget target, long offset, int length) {
        ReplicaDescription says = replica.lastDescription();
        Existence.check(replica, target, says);
        ReplicaFile file = replica.file();
        ByteBuf content = file == null ? null : Content.readAtHand(file, offset, length, buffers);
        if (content == null || replica.lastDescription().getVersion() == says.getVersion()) {
            return content;
        }
        content.release();
        return null;
    }
}
