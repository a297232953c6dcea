package org.beefs.honeycomb.store;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.honeycomb.catalog.Catalog;
import org.beefs.honeycomb.disk.FileStatus;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.state.ReplicaKind;
import org.beefs.honeycomb.store.content.ContentSync;
import org.jspecify.annotations.Nullable;

/**
 * One replica while somebody uses it, also one that does not exist yet: its open file, and the order of what is done to
 * it.
 *
 * <p>Reads and writes at given positions hold {@link #order} shared; what depends on the size or changes what the
 * replica is (append, truncate, creation, drop, writing the version) holds it exclusively. Observations, and the
 * description, are taken under the monitor, which nests inside.
 */
final class Replica {
    /** Unit of allocation that growth is estimated in: the common file systems' block. */
    private static final long BLOCK = 4096;

    private final ReplicaId id;
    private final ReentrantReadWriteLock order = new ReentrantReadWriteLock();
    private final AtomicLong changes = new AtomicLong();

    // Written with the order held exclusively.
    private volatile boolean lookedUp;
    private volatile boolean missing;
    private volatile @Nullable ReplicaFile file;
    private volatile boolean dropped;
    private volatile boolean superseded;

    /** What the replica says of itself. Written under the monitor. */
    private volatile ReplicaDescription description = ReplicaDescription.getDefaultInstance();

    // Guarded by the monitor.
    private long size;
    private long blocks;

    private final ContentSync sync;

    /** Number of users. Guarded by the monitor of the {@link OpenReplicas}. */
    int uses;

    /** Pins that may write and are not released. Written with the order held exclusively. */
    int writers;

    /** The pin that was released and may still write. Guarded by the exclusive order. */
    @Nullable
    Pin departing;

    /** @param damaged whether its content could not be brought to disk earlier in this process */
    Replica(ReplicaId id, boolean damaged) {
        this.id = id;
        this.sync = new ContentSync(id, damaged);
    }

    ReplicaId id() {
        return id;
    }

    /** The order, which is held until this is closed. */
    interface Hold extends AutoCloseable {
        @Override
        void close();
    }

    Hold holdShared() {
        order.readLock().lock();
        return order.readLock()::unlock;
    }

    /**
     * As {@link #holdShared}; null if that needs waiting. Not past those who wait for the order: reads that follow one
     * another closely would keep who wants it alone from ever getting it.
     */
    @Nullable
    Hold tryToHoldShared() {
        return !order.hasQueuedThreads() && order.readLock().tryLock() ? order.readLock()::unlock : null;
    }

    Hold holdExclusively() {
        order.writeLock().lock();
        return order.writeLock()::unlock;
    }

    /** Opens the file, at the first use, if there may be one. Fails with EIO when it does not say what it is. */
    void lookUp(ReplicaFiles files, Catalog catalog) {
        if (lookedUp) {
            return;
        }
        try (var _ = holdExclusively()) {
            if (!lookedUp) {
                ReplicaFile found = catalog.mayHave(id) ? files.open(id) : null;
                if (found != null) {
                    takeOver(found, catalog);
                } else {
                    notFound(catalog.find(id));
                }
                lookedUp = true;
            }
        }
    }

    private void takeOver(ReplicaFile found, Catalog catalog) {
        boolean takenOver = false;
        try {
            ReplicaDescription says = found.description();
            if (says == null || !id.isOf(says)) {
                throw new PosixException(
                        Errno.EIO,
                        id + " does not say what it is; it will be moved to the lost files at the next start");
            }
            FileStatus status = found.status();
            begin(found, Catalog.withMark(catalog.find(id), says), status);
            takenOver = true;
        } finally {
            if (!takenOver) {
                found.close();
            }
        }
    }

    private synchronized void notFound(@Nullable ReplicaDescription known) {
        if (known != null && isUnusable(known)) {
            description = known;
        }
        missing = known != null && known.getVersion() != 0;
    }

    /**
     * Whether its content is not known before a later start: it waits to be copied, without its name, or may be torn
     * and does not show it.
     */
    static boolean isUnusable(ReplicaDescription says) {
        return says.getRotten() && says.getVersion() == 0;
    }

    /** Fails with EIO when that is so of a replica which says this of itself. */
    static void checkUsable(ReplicaId id, ReplicaDescription says) {
        if (isUnusable(says)) {
            throw new PosixException(
                    Errno.EIO, id + " could not be made usable when this desktop was started; its log says why");
        }
    }

    /** The file is there now. Needs the exclusive order. */
    synchronized void begin(ReplicaFile opened, ReplicaDescription says, FileStatus status) {
        description = says;
        size = status.size();
        blocks = status.blocks();
        file = opened;
    }

    /** Whether the file was looked for; false also when it could not be read, so that nothing is known of it here. */
    boolean isLookedUp() {
        return lookedUp;
    }

    boolean exists() {
        return file != null;
    }

    /** Whether no file was found of a replica that carries a version, as the catalog says. */
    boolean isMissing() {
        return missing;
    }

    @Nullable
    ReplicaFile file() {
        return file;
    }

    /**
     * Fails with ESTALE when the replica is of another epoch than the request, or was removed. Who names the one
     * version that he wants gets it at any epoch: it has one content, wherever the primary has moved since.
     */
    void checkEpoch(ReplicaTarget target, ReplicaDescription says) {
        if (dropped) {
            throw gone(id);
        }
        if (exists() && target.getExactVersion() == 0 && says.getEpoch() != target.getEpoch()) {
            throw new PosixException(
                    Errno.ESTALE,
                    "%s is of epoch %d, the request of epoch %d".formatted(id, says.getEpoch(), target.getEpoch()));
        }
    }

    /**
     * Fails with ESTALE when its content is not what the request wants: the one version that it names, or what is
     * written now, which only the primary has.
     */
    void checkContent(ReplicaTarget target, ReplicaDescription says) {
        boolean wrong = target.getExactVersion() != 0
                ? says.getVersion() != target.getExactVersion()
                : says.getKind() == ReplicaKind.REPLICA_KIND_SECONDARY;
        if (exists() && wrong) {
            throw new PosixException(
                    Errno.ESTALE,
                    "%s is version %d of kind %s, which is not what is wanted"
                            .formatted(id, says.getVersion(), says.getKind()));
        }
    }

    static PosixException gone(ReplicaId id) {
        return new PosixException(Errno.ESTALE, id + " was removed from this honeycomb");
    }

    /** Whether its file may be written in passthrough. Needs the exclusive order. */
    boolean isWrittenElsewhere() {
        ReplicaFile opened = file;
        return writers > 0 || (opened != null && opened.isOpenForWriting());
    }

    /**
     * Notes that the replica was removed. Needs the exclusive order.
     *
     * @return whether there was a file until now
     */
    boolean drop() {
        boolean was = exists() && !dropped;
        dropped = true;
        return was;
    }

    /** Notes that another file has its name now. Needs the exclusive order. */
    void supersede() {
        superseded = true;
    }

    boolean isSuperseded() {
        return superseded;
    }

    boolean isDropped() {
        return dropped;
    }

    synchronized ReplicaDescription description() {
        return description;
    }

    /**
     * As {@link #description}, without waiting for a change that is taking the version off. So whoever reads content of
     * a version looks once more afterwards: if there is no version any more, what was read may have been changed.
     */
    ReplicaDescription lastDescription() {
        return description;
    }

    /** Sets what it is from now on, whatever its file says. Needs the exclusive order. */
    synchronized void says(ReplicaDescription other) {
        description = other;
    }

    /** Whether its content is not what it was. */
    boolean isRotten() {
        return description().getRotten();
    }

    /** Writes on the file what it is. Needs the exclusive order, or to be the first change of sealed content. */
    synchronized void describe(ReplicaFile opened, ReplicaDescription says) {
        opened.describe(says);
        description = says;
    }

    /**
     * Begins a change of content; needs the order, shared or exclusive. From here on the file is not the version any
     * more that it carried, and says so on disk, before any page of the change can be there. That takes a sync unless
     * it is emptied: file systems bring changes of a file's attributes and length to disk in their order.
     *
     * @param index is told first what the replica will be: that it is no version though it still is one does no harm,
     *     the other way round it would
     */
    void beginChange(ReplicaFiles files, ReplicaFile opened, boolean empties, Consumer<ReplicaDescription> index) {
        changes.incrementAndGet();
        if (description.getVersion() != 0) { // it gets none as long as the order is held: no need to wait for who syncs
            takeVersionOff(files, opened, empties, index);
        }
    }

    private void takeVersionOff(
            ReplicaFiles files, ReplicaFile opened, boolean empties, Consumer<ReplicaDescription> index) {
        synchronized (sync) {
            synchronized (this) {
                if (description.getVersion() == 0) {
                    return;
                }
                ReplicaDescription unsealed =
                        description.toBuilder().clearVersion().build();
                index.accept(unsealed);
                opened.describe(unsealed);
                if (!empties) {
                    syncUnsealed(files, opened, index);
                }
                description = unsealed;
            }
        }
    }

    /** If that fails nothing is changed: the file stays the version, and says so again. */
    private void syncUnsealed(ReplicaFiles files, ReplicaFile opened, Consumer<ReplicaDescription> index) {
        try {
            sync.sync(files, opened, false);
        } catch (PosixException e) {
            opened.describe(description);
            index.accept(description);
            throw e;
        }
    }

    /** How often content changed since the file was opened here. */
    long changes() {
        return changes.get();
    }

    /**
     * Most bytes that writing this range can allocate, by what was last observed; a sparse file may have a hole there.
     */
    synchronized long growth(long offset, long length) {
        long end = roundUp(offset + length);
        boolean dense = blocks * FileStatus.BLOCK >= size;
        long start = dense ? Math.max(roundUp(size), offset / BLOCK * BLOCK) : offset / BLOCK * BLOCK;
        return Math.max(0, end - start);
    }

    private static long roundUp(long bytes) {
        return bytes > Long.MAX_VALUE - BLOCK ? Long.MAX_VALUE : (bytes + BLOCK - 1) / BLOCK * BLOCK;
    }

    /**
     * Remembers what was just seen; needs the monitor since before it was seen.
     *
     * @return how many more bytes the file takes than when it was last observed
     */
    long observed(FileStatus status) {
        assert Thread.holdsLock(this);
        long difference = (status.blocks() - blocks) * FileStatus.BLOCK;
        size = status.size();
        blocks = status.blocks();
        return difference;
    }

    /** Bytes it takes, by what was last observed. */
    synchronized long allocated() {
        return blocks * FileStatus.BLOCK;
    }

    /** Brings its content to disk: {@link ContentSync#sync}. */
    void sync(ReplicaFiles files, ReplicaFile opened, boolean dataOnly) {
        sync.sync(files, opened, dataOnly);
    }

    /** Lets nobody change its file any more: {@link ContentSync#makeImmutable}. */
    void makeImmutable(ReplicaFile opened) {
        sync.makeImmutable(opened);
    }

    /** Whether its content could not be brought to disk. */
    boolean isDamaged() {
        return sync.isDamaged();
    }

    void close() {
        ReplicaFile opened = file;
        if (opened != null) {
            opened.close();
        }
    }
}
