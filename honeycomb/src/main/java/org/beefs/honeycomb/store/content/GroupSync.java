package org.beefs.honeycomb.store.content;

import org.beefs.common.posix.PosixException;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings all replicas to disk with one sync of the file system, as long as its success can be believed. Thread-safe.
 *
 * <p>The kernel tells that something could not be written in the background once for each open descriptor, whoever
 * syncs through it; and all syncs of the file system share one. So of several at once one is told, and the others, or
 * the next, succeed although it may be their content that was lost, however long ago it was written. Therefore they are
 * done one after the other: a success then means that none has failed before. And once one has failed, there are no
 * more in this process: each replica is synced through its own descriptor, which keeps its own failure. There are none
 * at all where the kernel does not tell such a sync that something was lost (before Linux 5.8).
 */
public final class GroupSync {
    /**
     * Up to so many replicas are brought to disk one by one, which leaves alone what the desktop's owner writes; more
     * with one sync of the file system, which takes less time unless the owner writes much.
     */
    private static final int FEW = 4;

    private static final Logger LOG = LoggerFactory.getLogger(GroupSync.class);

    private final ReplicaFiles files;

    /** Written with the monitor held. */
    private volatile boolean failed;

    public GroupSync(ReplicaFiles files) {
        this.files = files;
    }

    /**
     * Whether everything that was written before is on disk now, so many replicas among it. False when that is not
     * known, or they are few: then they have to be synced one by one.
     */
    public boolean run(int replicas) {
        return replicas > FEW && syncAll();
    }

    private synchronized boolean syncAll() {
        if (failed || !files.tellsOfLostWrites()) {
            return false;
        }
        failed = true; // whatever is thrown
        try {
            files.syncAll();
            failed = false;
        } catch (PosixException e) {
            LOG.warn(
                    "syncing the file system failed; until the next start its replicas are synced one by one: {}",
                    e.getMessage());
        }
        return !failed;
    }

    /** Whether something may have been lost that a further sync of the file system would not tell of. */
    public boolean hasFailed() {
        return failed;
    }
}
