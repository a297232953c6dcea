package org.beefs.honeycomb.catalog;

import java.util.List;
import java.util.OptionalLong;
import org.beefs.honeycomb.records.RecordStore;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.jspecify.annotations.Nullable;

/**
 * An index of the replicas in the folder. The description on each replica file is the truth; after anything but an
 * orderly stop the catalog is filled anew from those. Thread-safe. Methods fail with
 * {@link org.beefs.common.posix.PosixException} ENOSPC when the catalog's disk is full, and with EIO when it fails or
 * the catalog is closed.
 */
public interface Catalog extends AutoCloseable {
    @Nullable
    ReplicaDescription find(ReplicaId id);

    void put(ReplicaDescription description);

    /**
     * Puts what a replica says, unless it is here already. So a repeated request mends what it could not put here the
     * first time, when the replica said so already. A mark of rot stays.
     *
     * @return whether it had to be put
     */
    default boolean ensure(ReplicaDescription says) {
        ReplicaDescription known = find(ReplicaId.of(says));
        ReplicaDescription wanted = withMark(known, says);
        boolean missing = known == null || !known.equals(wanted);
        if (missing) {
            put(wanted);
        }
        return missing;
    }

    /**
     * The description of a replica, with the mark of rot if the catalog has that for its version: the file may not have
     * taken it.
     */
    static ReplicaDescription withMark(@Nullable ReplicaDescription known, ReplicaDescription says) {
        boolean marked = known != null && known.getRotten() && known.getVersion() == says.getVersion();
        return marked ? says.toBuilder().setRotten(true).build() : says;
    }

    void remove(ReplicaId id);

    /** At most {@code limit} replicas in ascending order after {@code after}, or from the beginning for null. */
    List<ReplicaDescription> page(@Nullable ReplicaId after, int limit);

    /**
     * The highest inode number of a replica that is here, or was since the catalog was opened; 0 for none. Never waits.
     */
    long highestInode();

    /**
     * Whether there may be such a replica: not of an inode above all that were ever here, as a new file's is. Never
     * waits.
     */
    default boolean mayHave(ReplicaId id) {
        return Long.compareUnsigned(id.inode(), highestInode()) <= 0;
    }

    /**
     * Notes that there is, or was, a replica of this inode, of which no more is known: {@link #highestInode} counts it.
     */
    void see(long inode);

    /** Forgets all replicas. */
    void clear();

    /**
     * Takes the mark of {@link #markComplete}: if the catalog was stopped in order before this boot it is exact, and
     * the answer is the number of bytes that the replicas take. The mark is gone afterwards, on disk.
     */
    OptionalLong takeMark(long boot);

    /** Records, on disk, that the catalog is exact at the end of a boot. The last call before {@link #close}. */
    void markComplete(long boot, long used);

    /** The queen-bee's records. Neither {@link #clear} nor the marks concern it. */
    RecordStore records();

    /**
     * Checksums of the replicas' contents, and the state of the check. {@link #remove} forgets a replica's; neither
     * {@link #clear} nor the marks concern it.
     */
    ScrubStore scrub();

    @Override
    void close();
}
