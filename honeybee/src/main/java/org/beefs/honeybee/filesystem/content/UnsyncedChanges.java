package org.beefs.honeybee.filesystem.content;

import com.google.protobuf.ByteString;
import org.beefs.common.replica.Observations;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.ReplicaStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was written to a file while it is open to be written, and may not be on the disk of its primary: a later sync
 * must not say that it is when it has gone with that machine's power. Each answer of a honeycomb says which of its
 * earlier ones lost their power ({@link ReplicaStatus#getLostBelow}), as the write verifier of NFS does. Thread-safe.
 */
final class UnsyncedChanges {
    private static final Logger LOG = LoggerFactory.getLogger(UnsyncedChanges.class);

    // All guarded by this.
    private int writers;

    /** Where the changes were made: the observations of another honeycomb say nothing of them. */
    private ByteString honeycomb = ByteString.EMPTY;

    /** An observation that is not later than the first of the changes, as an unsigned number; 0 when there are none. */
    private long first;

    private long changes;
    private int losses;

    /** Whether the honeycomb was asked in vain, and has not been reached since. */
    private boolean unanswered;

    /** Somebody has opened the file to write it; {@link #close} follows. */
    synchronized void open() {
        writers++;
    }

    /** Nobody is told any more of what he has closed without a sync. */
    synchronized void close() {
        writers--;
        if (writers == 0) {
            first = 0;
        }
    }

    /** Whether somebody has the file open to write it. */
    synchronized boolean hasWriters() {
        return writers > 0;
    }

    /** A change was made. */
    synchronized void changed(Layout at, ReplicaStatus status) {
        notice(at, status);
        changes++;
        if (writers > 0 && first == 0) {
            first = status.getObservation();
        }
    }

    /** The number of changes so far, for {@link #synced} of a sync that begins now. */
    synchronized long changes() {
        return changes;
    }

    /**
     * A sync has succeeded.
     *
     * @param covered what {@link #changes} was when it began
     */
    synchronized void synced(Layout at, ReplicaStatus status, long covered) {
        notice(at, status);
        if (first != 0) {
            // No loss lies between changes that were made since and the look at the sync's end: it stands for them.
            first = changes == covered ? 0 : status.getObservation();
        }
    }

    /** How often something was lost that nobody had synced. */
    synchronized int losses() {
        return losses;
    }

    /** Whether nothing of what was written is unsynced. */
    synchronized boolean isEmpty() {
        return first == 0;
    }

    /**
     * Whether the honeycomb is away, and was asked in vain what has become of the changes. It is asked once: whoever
     * closes the file waits for that, and so does each program that is started by one which has it open.
     */
    synchronized boolean isAskedInVain(boolean connected) {
        unanswered &= !connected;
        return unanswered;
    }

    /** The honeycomb was asked, and has not answered in time. */
    synchronized void unanswered() {
        unanswered = true;
    }

    /** Somebody has only looked at a replica: it says nothing of changes that were made elsewhere. */
    synchronized void seen(Layout at, ReplicaStatus status) {
        if (honeycomb.equals(at.getHoneycomb())) {
            notice(at, status);
        }
    }

    /**
     * The replica was seen like this. A file that is open to be written goes to another honeycomb only when its own is
     * given up.
     */
    private void notice(Layout at, ReplicaStatus status) {
        boolean moved = !honeycomb.equals(at.getHoneycomb());
        if (first != 0 && (moved || Observations.isLater(status.getLostBelow(), first))) {
            first = 0;
            losses++;
            LOG.warn(
                    "what programs wrote to inode {} may be lost: {} {}; they are told when they sync or close",
                    at.getInode(),
                    at.getDesktop(),
                    moved ? "has the file now, and not what was written elsewhere" : "has lost its power since");
        }
        honeycomb = at.getHoneycomb();
    }
}
