package org.beefs.honeycomb.store.content;

import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.state.ReplicaId;

/**
 * Brings one replica's content to disk, and knows whether that has ever failed. Thread-safe: its monitor is held by the
 * one who syncs, because of several at once the kernel would tell one of a failure. It is taken before the replica's.
 */
public final class ContentSync {
    private final ReplicaId id;

    // Written under the monitor.
    private boolean nameSynced;
    private volatile boolean damaged;

    /** @param damaged whether the content could not be brought to disk earlier in this process */
    public ContentSync(ReplicaId id, boolean damaged) {
        this.id = id;
        this.damaged = damaged;
    }

    /**
     * Brings the file's content, and once its name, to disk. After a failure the content is not trusted any more,
     * unless its folder could not be opened.
     */
    public synchronized void sync(ReplicaFiles files, ReplicaFile opened, boolean dataOnly) {
        if (damaged) {
            throw new PosixException(
                    Errno.EIO, id + " could not be written to disk earlier; write its content to a new file");
        }
        syncContent(opened, dataOnly);
        if (!nameSynced) {
            syncName(files);
        }
    }

    private void syncContent(ReplicaFile opened, boolean dataOnly) {
        boolean synced = false;
        try {
            opened.sync(dataOnly);
            synced = true;
        } finally {
            damaged = !synced;
        }
    }

    private void syncName(ReplicaFiles files) {
        try {
            files.syncName(id);
            nameSynced = true;
        } catch (PosixException e) {
            damaged = ReplicaFiles.isOfTheFile(e.errno()); // otherwise it was not tried, and is with the next sync
            throw e;
        }
    }

    /**
     * Lets nobody change the file any more. That brings its content to disk, so a failure of it counts as one of
     * {@link #sync}: the kernel tells it once.
     */
    public synchronized void makeImmutable(ReplicaFile opened) {
        try {
            opened.setImmutable(true);
        } catch (PosixException e) {
            damaged |= opened.isImmutable(); // otherwise it was not tried to bring it to disk
            throw e;
        }
    }

    public boolean isDamaged() {
        return damaged;
    }
}
