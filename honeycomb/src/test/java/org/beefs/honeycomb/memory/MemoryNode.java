package org.beefs.honeycomb.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.jspecify.annotations.Nullable;

/**
 * A file on a {@link MemoryDisk}, whose monitor guards it: as it is, and as it may be after a loss of power. Then its
 * size, pages, description and times are as they were at some moment since the last sync, as a journal keeps them; and
 * its pages hold what was written to them by then, or later, or not even that.
 */
final class MemoryNode {
    /** Moments since the last sync that are remembered, at most. */
    private static final int MOMENTS = 8;

    private record Moment(
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
    /** Since the last sync, which is the first. */
    private final List<Moment> moments = new ArrayList<>();

    private boolean outsideWriter;
    private boolean immutable;
    private boolean taken;
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
        moments.add(moment());
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

    /** The kernel notices the next store again. What is under way to the disk may still be lost. */
    void writeBack() {
        stored = false;
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
        remember();
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

    /** Whether it was taken from its name, because programs held it that must not write the replica any more. */
    boolean isTaken() {
        return taken;
    }

    void take() {
        taken = true;
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
        content.sync();
        moments.clear();
        moments.add(moment());
        syncedFingerprint = content.fingerprint();
        unsynced = false;
        stored = false;
    }

    /** Its size or description is about to change. */
    void remember() {
        if (moments.size() < MOMENTS) {
            moments.add(moment());
        }
    }

    /** The power is lost, and with it everything that was not synced. */
    void losePower() {
        losePower(moments.getFirst(), () -> false);
    }

    /** The power is lost, and of what was not synced anything may be left. */
    void losePower(RandomGenerator random) {
        remember();
        int chance = random.nextInt(3);
        losePower(moments.get(random.nextInt(moments.size())), () -> random.nextInt(2) < chance);
    }

    private void losePower(Moment moment, BooleanSupplier keeps) {
        content = moment.content();
        content.losePower(keeps);
        description = moment.description();
        atime = moment.atime();
        mtime = moment.mtime();
        ctime = moment.ctime();
        outsideWriter = false;
        outsideWriters = 0;
        sync();
    }

    private Moment moment() {
        return new Moment(content.extents(), description, atime, mtime, ctime);
    }
}
