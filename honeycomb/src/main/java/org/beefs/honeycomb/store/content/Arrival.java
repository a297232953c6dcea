package org.beefs.honeycomb.store.content;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Fetch;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.SparseCopy;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.state.ReplicaKind;
import org.beefs.honeycomb.store.ReplicaStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A version of a file that comes from another honeycomb, in a file of its own that nobody else uses. For one user at a
 * time; those who write to different places may do so at once.
 */
public final class Arrival implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Arrival.class);

    private final Fetch fetch;
    private final ReplicaFile file;
    private final boolean hasContent;
    private final long reserved;
    private final ByteBufAllocator buffers;

    // Changed by the one user only, between what he lets others write.
    private @Nullable ReplicaFile basis;
    private long filled;

    private volatile boolean refused;

    /**
     * @param file which this closes; so long as {@code filled}
     * @param hasContent false when that is one hole, as long as the version
     * @param basis an earlier version, which nobody changes and this closes; null when there is none
     * @param reserved bytes of space, until it ends
     */
    public Arrival(
            Fetch fetch,
            ReplicaFile file,
            boolean hasContent,
            long filled,
            @Nullable ReplicaFile basis,
            long reserved,
            ByteBufAllocator buffers) {
        this.fetch = fetch;
        this.file = file;
        this.hasContent = hasContent;
        this.filled = filled;
        this.basis = basis;
        this.reserved = reserved;
        this.buffers = buffers;
    }

    public Fetch fetch() {
        return fetch;
    }

    /**
     * Whether there is something already, of an earlier version or attempt, that may be the same in places. Otherwise
     * it is one hole.
     */
    public boolean hasContent() {
        return hasContent;
    }

    /** Bytes from the beginning in which it holds content of an earlier version or attempt, or is a hole. */
    public long filled() {
        return filled;
    }

    /**
     * To be called before anything below {@code end} is looked at or written, range after range up to the version's
     * end: brings content of an earlier version there, as far as there is none. What the disk cannot read of that stays
     * a hole.
     */
    public void fillTo(long end) {
        if (end > filled) {
            noticing(() -> {
                copyBasis(end);
                file.truncate(end);
            });
            filled = end;
        }
    }

    /**
     * Where there may be content from an offset on, also of an earlier version; the version's end when only a hole
     * follows.
     */
    public long nextContent(long offset) {
        long end = fetch.getSize();
        if (!hasContent) {
            return end;
        }
        try {
            long here = SparseCopy.nextData(file, offset, filled);
            if (here < filled) {
                return here;
            }
            return basis == null ? end : nextOfBasis(basis, Math.max(offset, filled), end);
        } catch (PosixException e) {
            return offset; // whoever reads it meets that, and knows what to do
        }
    }

    private static long nextOfBasis(ReplicaFile basis, long offset, long end) {
        long size = Math.min(end, basis.status().size());
        long data = SparseCopy.nextData(basis, offset, size);
        return data < size ? data : end;
    }

    private void copyBasis(long end) {
        ReplicaFile from = basis;
        if (from == null) {
            return;
        }
        try {
            long size = Math.min(end, from.status().size());
            SparseCopy.copy(from, file, filled, size - filled);
        } catch (PosixException e) {
            if (e.errno() != Errno.EIO) {
                throw e;
            }
            LOG.warn("{} cannot be read, and is fetched as a whole: {}", id(), e.getMessage());
            closeBasis();
        }
    }

    private void closeBasis() {
        if (basis != null) {
            basis.close();
            basis = null;
        }
    }

    /**
     * Writes all of a buffer there, which stays the caller's. Where there is a hole it stays one if there are only
     * zeros.
     */
    public void write(long offset, ByteBuf content) {
        if (hasContent || !Content.isZero(content)) {
            noticing(() -> Content.write(file, content, offset));
        }
    }

    private void noticing(Runnable change) {
        try {
            change.run();
        } catch (PosixException e) {
            refused |= e.errno().saysFull();
            throw e;
        }
    }

    /** Whether the disk has not taken some of it, because it is full. */
    public boolean isRefused() {
        return refused;
    }

    /** As {@link ReplicaStore#checksums}. */
    public byte[] checksums(long offset, int blocks) {
        return Checksums.of(file, offset, blocks, buffers);
    }

    public long reserved() {
        return reserved;
    }

    public ReplicaFile file() {
        return file;
    }

    public ReplicaId id() {
        return ReplicaId.of(fetch.getReplica());
    }

    public ReplicaDescription description() {
        return ReplicaDescription.newBuilder()
                .setInode(fetch.getReplica().getInode())
                .setGeneration(fetch.getReplica().getGeneration())
                .setEpoch(fetch.getReplica().getEpoch())
                .setVersion(fetch.getVersion())
                .setKind(ReplicaKind.REPLICA_KIND_SECONDARY)
                .build();
    }

    /** Lets the file go; what it holds stays for the next attempt. */
    @Override
    public void close() {
        closeBasis();
        file.close();
    }
}
