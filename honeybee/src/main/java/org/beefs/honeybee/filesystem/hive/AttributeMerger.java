package org.beefs.honeybee.filesystem.hive;

import java.time.Instant;
import org.beefs.common.posix.Timestamps;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.Timestamp;

/**
 * What stat(2) shows of a file that somebody may be writing: the queen-bee's attributes, with size, blocks and mtime of
 * the primary replica once that has been written.
 */
final class AttributeMerger {
    private AttributeMerger() {}

    static Attributes merge(Node node, ReplicaStatus status) {
        Attributes known = node.getAttributes();
        if (!node.getLayout().getDirty() || !isWritten(node.getLayout(), status)) {
            return known;
        }
        return known.toBuilder()
                .setSize(status.getSize())
                .setBlocks(status.getBlocks())
                .setMtime(status.getMtime())
                .setCtime(changed(known.getCtime(), status.getCtime()))
                .build();
    }

    /** Whether the replica shows something else than when its newest version was committed. */
    static boolean isWritten(Layout layout, ReplicaStatus status) {
        return status.getExists()
                && !status.getUntouched()
                && (status.getSize() != layout.getCommittedSize()
                        || !status.getMtime().equals(layout.getCommittedMtime()));
    }

    /**
     * Whether the file has been committed since the layout was made: the replica carries another version. What it says
     * then belongs to that version, and its ctime to the moment when it was sealed.
     */
    static boolean isOutdated(Layout layout, ReplicaStatus status) {
        return status.getVersion() != 0 && status.getVersion() != layout.getVersion();
    }

    /** The ctime that the queen-bee gives to what was written, so that it is the same after the commit. */
    private static Timestamp changed(Timestamp known, Timestamp replica) {
        Instant next = Timestamps.toInstant(known).plusNanos(1);
        return next.isBefore(Timestamps.toInstant(replica)) ? replica : Timestamps.toWire(next);
    }
}
