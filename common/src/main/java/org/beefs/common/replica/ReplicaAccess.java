package org.beefs.common.replica;

import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.common.wire.SetTimes;

/**
 * Content of the replicas in one honeycomb. Thread-safe.
 *
 * <p>Futures fail with {@link org.beefs.common.posix.PosixException}: ESTALE for another epoch than the replica's,
 * EACCES without a fitting capability, ENOSPC when neither capacity nor disk have room, EIO when a replica that must be
 * there is not or the honeycomb cannot be reached in time. What changes a replica answers with its status afterwards.
 */
public interface ReplicaAccess {
    /** Bytes to copy at once: what the slowest disks do well within a request's deadline. */
    long MAX_COPY = 16 << 20;

    /** Files that are read for one answer at most. */
    int MOST_SMALL_FILES = 64;

    /**
     * Bytes of the largest file that is read for one answer with others, which have to fit into a frame's payload
     * together.
     */
    int LARGEST_SMALL_FILE = 64 << 10;

    /**
     * At most {@code length} bytes (1 to {@link org.beefs.common.rpc.Frame#MAX_PAYLOAD}); fewer only at the end of the
     * file.
     */
    CompletableFuture<Payload> read(ReplicaTarget target, long offset, int length);

    /**
     * Writes all of {@code content}. The caller keeps ownership of the buffer and leaves it unchanged until the future
     * is done. With {@code append} the offset is ignored and the content goes to the end, as one.
     */
    CompletableFuture<ReplicaStatus> write(ReplicaTarget target, long offset, boolean append, ByteBuf content);

    /** Cuts or extends to a size in bytes. Changes mtime and ctime also when the size stays. */
    CompletableFuture<ReplicaStatus> truncate(ReplicaTarget target, long size);

    /** As fallocate(2), with its mode bits. EOPNOTSUPP for modes the file system below lacks. */
    CompletableFuture<ReplicaStatus> allocate(ReplicaTarget target, int mode, long offset, long length);

    /** Sets times of the replica file. */
    CompletableFuture<ReplicaStatus> setTimes(ReplicaTarget target, SetTimes times);

    /** Done when the content, and the replica's existence, are on disk. */
    CompletableFuture<ReplicaStatus> sync(ReplicaTarget target, boolean dataOnly);

    /**
     * What the replicas look like, in the order asked.
     *
     * @param targets at most {@link org.beefs.common.rpc.ProtocolBounds#REPLICA_TARGETS}
     */
    CompletableFuture<List<ReplicaStatus>> statuses(List<ReplicaTarget> targets);

    /**
     * Copies content from a replica of the same honeycomb, without moving it through the caller. Not between
     * overlapping parts of one replica.
     *
     * @param length 1 to {@link #MAX_COPY}; less is copied at the end of the source, and when the disk stops
     */
    CompletableFuture<Copied> copy(ReplicaTarget source, long from, ReplicaTarget target, long to, long length);

    /** What was copied, and what the target is like now. */
    record Copied(long bytes, ReplicaStatus status) {}

    /** As lseek with SEEK_HOLE or SEEK_DATA; fails with ENXIO beyond the end. */
    CompletableFuture<Long> seek(ReplicaTarget target, long offset, boolean hole);
}
