package org.beefs.honeycomb.store;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.beefs.common.wire.Fetch;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.state.ReplicaKind;

/**
 * A version of a file that comes from another honeycomb, in a file of its own that nobody else uses. For one user at a time; those who write
 * to different places may do so at once.
 */
public final class Arrival implements AutoCloseable {
    private final Fetch fetch;
    private final ReplicaFile file;
    private final boolean hasContent;
    private final ByteBufAllocator buffers;

    Arrival(Fetch fetch, ReplicaFile file, boolean hasContent, ByteBufAllocator buffers) {
        this.fetch = fetch;
        this.file = file;
        this.hasContent = hasContent;
        this.buffers = buffers;
    }

    public Fetch fetch() {
        return fetch;
    }

    /** Whether there is something already, of an earlier version or attempt, that may be the same in places. Otherwise it is one hole. */
    public boolean hasContent() {
        return hasContent;
    }

    /** Writes all of a buffer there, which stays the caller's. Where there is a hole it stays one if there are only zeros. */
    public void write(long offset, ByteBuf content) {
        if (hasContent || !Content.isZero(content)) {
            Content.write(file, content, offset);
        }
    }

    /** As {@link ReplicaStore#checksums}. */
    public byte[] checksums(long offset, int blocks) {
        return Checksums.of(file, offset, blocks, buffers);
    }

    ReplicaFile file() {
        return file;
    }

    ReplicaId id() {
        return ReplicaId.of(fetch.getReplica());
    }

    ReplicaDescription description() {
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
        file.close();
    }
}
