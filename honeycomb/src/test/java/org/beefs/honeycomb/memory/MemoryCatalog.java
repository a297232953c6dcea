package org.beefs.honeycomb.memory;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.honeycomb.catalog.Catalog;
import org.beefs.honeycomb.catalog.ScrubStore;
import org.beefs.honeycomb.records.RecordStore;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.jspecify.annotations.Nullable;

/** A catalog in memory. To model a restart, pass the same one on; to model the loss of a catalog, a new one. */
public final class MemoryCatalog implements Catalog {
    private record Mark(long boot, long used) {}

    private final RecordStore records;
    private final ScrubStore scrub;
    private final TreeMap<ReplicaId, ReplicaDescription> replicas = new TreeMap<>();
    private @Nullable Mark mark;
    private Runnable undo = () -> {};
    private volatile Runnable beforePut = () -> {};
    private boolean closed;
    private boolean full;
    private boolean unreadable;
    private long seen;

    public MemoryCatalog() {
        this(new MemoryRecords(), new MemoryScrubStore());
    }

    /** With the queen-bee's records and the checksums of an earlier life. */
    public MemoryCatalog(RecordStore records, ScrubStore scrub) {
        this.records = records;
        this.scrub = scrub;
    }

    /** From now on the index cannot be changed any more, or it can, as when the catalog's disk is full. */
    public synchronized void failWrites(boolean failing) {
        full = failing;
    }

    /** From now on nothing is found in the index, or it is again, as when the catalog's disk cannot be read. */
    public synchronized void failReads(boolean failing) {
        unreadable = failing;
    }

    @Override
    public synchronized @Nullable ReplicaDescription find(ReplicaId id) {
        if (unreadable) {
            throw new PosixException(Errno.EIO, "the catalog was made to fail");
        }
        return replicas.get(id);
    }

    /** From now on this is run before anything is put into the index, by whoever puts it there. */
    public void setBeforePut(Runnable action) {
        beforePut = action;
    }

    @Override
    public void put(ReplicaDescription description) {
        beforePut.run();
        putNow(description);
    }

    private synchronized void putNow(ReplicaDescription description) {
        checkNotFull();
        ReplicaId id = ReplicaId.of(description);
        ReplicaDescription before = replicas.put(id, description);
        undo = () -> {
            if (before == null) {
                replicas.remove(id);
            } else {
                replicas.put(id, before);
            }
        };
    }

    /** What was put into the index last is as it was before. */
    public synchronized void forgetLast() {
        undo.run();
        undo = () -> {};
    }

    @Override
    public synchronized void remove(ReplicaId id) {
        checkNotFull();
        replicas.remove(id);
    }

    private void checkNotFull() {
        if (full) {
            throw new PosixException(Errno.EIO, "the catalog was made to fail");
        }
    }

    @Override
    public synchronized List<ReplicaDescription> page(@Nullable ReplicaId after, int limit) {
        Map<ReplicaId, ReplicaDescription> rest = after == null ? replicas : replicas.tailMap(after, false);
        return rest.values().stream().limit(limit).toList();
    }

    @Override
    public synchronized long highestInode() {
        long here = replicas.isEmpty() ? 0 : replicas.lastKey().inode();
        return Long.compareUnsigned(seen, here) > 0 ? seen : here;
    }

    @Override
    public synchronized void see(long inode) {
        seen = Long.compareUnsigned(inode, seen) > 0 ? inode : seen;
    }

    @Override
    public synchronized void clear() {
        replicas.clear();
    }

    @Override
    public RecordStore records() {
        return records;
    }

    @Override
    public ScrubStore scrub() {
        return scrub;
    }

    @Override
    public synchronized OptionalLong takeMark(long boot) {
        Mark taken = mark;
        mark = null;
        return taken != null && taken.boot() == boot - 1 ? OptionalLong.of(taken.used()) : OptionalLong.empty();
    }

    @Override
    public synchronized void markComplete(long boot, long used) {
        mark = new Mark(boot, used);
    }

    @Override
    public synchronized void close() {
        closed = true;
    }

    public synchronized boolean isClosed() {
        return closed;
    }
}
