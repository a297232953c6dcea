package org.beefs.honeycomb.records;

import java.util.List;
import org.beefs.common.wire.Record;
import org.beefs.common.wire.Records;
import org.beefs.common.wire.RecordsState;

/**
 * The queen-bee's records in a honeycomb's catalog. Thread-safe. Methods fail with
 * {@link org.beefs.common.posix.PosixException} EIO when the catalog's disk fails or it is closed.
 */
public interface RecordStore {
    /** The hive whose records these are, and how complete they are. */
    RecordsState state();

    /**
     * Keeps records, but for those of which there are later ones. When this returns they are on disk, after a failure
     * all of them or none. Fails with ESTALE for records of another hive.
     */
    void write(Records records);

    /**
     * The number of records: exact while there are few, otherwise about right. Takes little time however many there
     * are.
     */
    long count();

    /**
     * At most {@code limit} records, up to about {@code bytes}, in the order of their inodes, from that one on; at
     * least one unless there are no more.
     */
    List<Record> page(long from, int limit, int bytes);
}
