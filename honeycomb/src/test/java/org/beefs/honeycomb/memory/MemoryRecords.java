package org.beefs.honeycomb.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Record;
import org.beefs.common.wire.Records;
import org.beefs.common.wire.RecordsState;
import org.beefs.honeycomb.records.RecordStore;

/** The queen-bee's records in memory. They outlive the daemon that uses them, and its machine's power. */
public final class MemoryRecords implements RecordStore {
    private final TreeMap<Long, Record> records = new TreeMap<>(Long::compareUnsigned);
    private RecordsState state = RecordsState.getDefaultInstance();
    private boolean unreadable;

    /** From now on nobody is told what there is, as when the disk cannot be read. */
    public synchronized void failReads() {
        unreadable = true;
    }

    @Override
    public synchronized RecordsState state() {
        if (unreadable) {
            throw new PosixException(Errno.EIO, "the records were made to fail");
        }
        return state;
    }

    @Override
    public synchronized void write(Records written) {
        if (!state.getHive().isEmpty() && !state.getHive().equals(written.getHive())) {
            throw new PosixException(Errno.ESTALE, "the honeycomb's catalog is of another hive");
        }
        written.getRecordsList()
                .forEach(record ->
                        records.merge(record.getInode(), record, (a, b) -> b.getSequence() >= a.getSequence() ? b : a));
        written.getForgottenList()
                .forEach(inode -> records.computeIfPresent(
                        inode, (_, known) -> known.getSequence() <= written.getAsOf() ? null : known));
        state = RecordsState.newBuilder()
                .setHive(written.getHive())
                .setComplete(Math.max(state.getComplete(), written.getComplete()))
                .build();
    }

    @Override
    public synchronized long count() {
        return records.size();
    }

    @Override
    public synchronized List<Record> page(long from, int limit, int bytes) {
        List<Record> page = new ArrayList<>();
        int taken = 0;
        for (Record record : records.tailMap(from).values()) {
            if (page.size() == limit || taken >= bytes) {
                break;
            }
            taken += record.getSerializedSize();
            page.add(record);
        }
        return page;
    }

    /** All of them, in the order of their inodes. */
    public synchronized List<Record> all() {
        return List.copyOf(records.values());
    }
}
