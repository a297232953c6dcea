package org.beefs.honeycomb.replicator;

import com.google.protobuf.ByteString;
import java.util.SequencedMap;
import org.beefs.common.collection.EldestFirst;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeycomb.state.ReplicaId;

/**
 * How far files have been copied that take longer than one request, or were broken off, so that the next one need not
 * even compare what is here. Forgotten with the process. Thread-safe.
 */
final class Progress {
    /**
     * Files that are remembered. With more, the one that waits for longest is compared from its beginning. Some 200
     * bytes each; with fewer than large files wait here, all would be compared from their beginnings again and again.
     */
    private static final int MOST = 65_536;

    /**
     * The part of a file that is here.
     *
     * @param source the honeycomb that it comes from
     * @param ctime of the source's file, which tells its content
     * @param bytes from the beginning
     * @param late whether it is a checkpoint for the rest of which there was no time
     */
    record Reached(ByteString source, Timestamp ctime, long bytes, boolean late) {}

    /** Guarded by this. */
    private final SequencedMap<ReplicaId, Reached> reached = EldestFirst.map(MOST);

    /** Bytes of this content that are here. Forgets them, because from now on the file is worked on. */
    synchronized long take(ReplicaId id, ByteString source, Timestamp ctime) {
        Reached known = reached.remove(id);
        if (known == null || !known.source().equals(source) || !known.ctime().equals(ctime)) {
            return 0;
        }
        return known.bytes();
    }

    /**
     * Whether the source's file was changed since there was no time for the rest of a checkpoint, so that what has come
     * counts no more; says so once.
     */
    synchronized boolean isOutrun(ReplicaId id, ByteString source, Timestamp ctime) {
        Reached known = reached.get(id);
        boolean outrun = known != null
                && known.late()
                && known.source().equals(source)
                && !known.ctime().equals(ctime);
        if (outrun) {
            reached.remove(id);
        }
        return outrun;
    }

    /** Whether an attempt has left something of a file, as far as is known. */
    synchronized boolean isBegun(ReplicaId id) {
        return reached.containsKey(id);
    }

    synchronized void put(ReplicaId id, Reached now) {
        reached.put(id, now);
    }
}
