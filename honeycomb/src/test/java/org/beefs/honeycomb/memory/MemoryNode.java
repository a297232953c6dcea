package org.beefs.honeycomb.memory;

import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.jspecify.annotations.Nullable;

/** A file on a {@link MemoryDisk}, whose monitor guards it: as it is, and as it would be after a loss of power. */
final class MemoryNode {
    private record Synced(
            MemoryContent content,
            @Nullable ReplicaDescription description,
            Timestamp atime,
            Timestamp mtime,
            Timestamp ctime) {}

    private MemoryContent content = new MemoryContent();
    private @Nullable ReplicaDescription description;
    private Timestamp atime;
    private Timestamp mtime;
    private Timestamp ctime;
    private Synced synced;
    private boolean outsideWriter;
    private boolean immutable;
    private int outsideWriters;
    /** Whether content has changed since it was brought to disk. */
    private boolean unsynced;
    /** Of the content that is on disk. */
    private int syncedFingerprint;
    /** Whether pages were stored to, through a mapping, since they were brought to disk. */
    private boolean stored;

    MemoryNode(Timestamp created) {
        atime = created;
        mtime = created;
        ctime = created;
        synced = snapshot();
    }

    MemoryContent content() {
        return content;
    }

    @Nullable
    ReplicaDescription description() {
        return description;
    }

    Timestamp atime() {
        return atime;
    }

    Timestamp mtime() {
        return mtime;
    }

    Timestamp ctime() {
        return ctime;
    }

    void changed(Timestamp now) {
        mtime = now;
        ctime = now;
        unsynced = true;
    }

    void setCtime(Timestamp time) {
        ctime = time;
    }

    /** Pages were stored to: the kernel notices the first time only. */
    void stored(Timestamp now) {
        if (!stored) {
            changed(now);
            stored = true;
        }
        unsynced = true;
    }

    boolean isSynced() {
        return !unsynced;
    }

    int syncedFingerprint() {
        return syncedFingerprint;
    }

    void setTimes(@Nullable Timestamp newAtime, @Nullable Timestamp newMtime, Timestamp now) {
        atime = newAtime == null ? atime : newAtime;
        mtime = newMtime == null ? mtime : newMtime;
        ctime = now;
    }

    void describe(ReplicaDescription says, Timestamp now) {
        description = says;
        ctime = now;
    }

    boolean hasOutsideWriter() {
        return outsideWriter || outsideWriters > 0;
    }

    void setOutsideWriter(boolean present) {
        outsideWriter = present;
    }

    boolean isImmutable() {
        return immutable;
    }

    void setImmutable(boolean now) {
        immutable = now;
    }

    void checkMutable() {
        if (immutable) {
            throw new PosixException(Errno.EPERM, "the file is immutable");
        }
    }

    /** A file of the same content and times that nobody has open. */
    MemoryNode copy(ReplicaDescription says, Timestamp now) {
        MemoryNode copy = new MemoryNode(now);
        copy.content = content.copy();
        copy.description = says;
        copy.atime = atime;
        copy.mtime = mtime;
        return copy;
    }

    void addOutsideWriters(int more) {
        outsideWriters += more;
    }

    void sync() {
        synced = snapshot();
        syncedFingerprint = content.fingerprint();
        unsynced = false;
        stored = false;
    }

    /** The power was lost, and the programs with it. */
    void revert() {
        content = synced.content().copy();
        description = synced.description();
        atime = synced.atime();
        mtime = synced.mtime();
        ctime = synced.ctime();
        unsynced = false;
        stored = false;
        outsideWriter = false;
        outsideWriters = 0;
    }

    private Synced snapshot() {
        return new Synced(content.copy(), description, atime, mtime, ctime);
    }
}
