package org.beefs.queenbee.recovery;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.beefs.common.wire.Record;
import org.jspecify.annotations.Nullable;

/** Merges many catalogs: gives the latest record of each inode, in ascending order. Not thread-safe. */
final class RecordMerge {
    /** Cursors ordered by the inodes they stand at; of those at the same inode, the one at the latest record first. */
    private final PriorityQueue<RecordCursor> cursors;

    private long taken;
    private String source = "";
    private final List<ByteString> holders = new ArrayList<>();
    private int latestHolders;

    RecordMerge(List<RecordCursor> cursors) {
        this.cursors = new PriorityQueue<>(
                Math.max(1, cursors.size()), Comparator.comparing(RecordMerge::record, RecordMerge::compare));
        cursors.stream().filter(cursor -> cursor.current() != null).forEach(this.cursors::add);
    }

    /** Records read so far, of all catalogs. */
    long taken() {
        return taken;
    }

    /** Name of the catalog that the last record is from. */
    String source() {
        return source;
    }

    /** UUIDs of the honeycombs whose catalogs have a record of the last inode, also an older one. */
    List<ByteString> holders() {
        return holders;
    }

    /** UUIDs of the {@link #holders} with the latest record. */
    List<ByteString> latestHolders() {
        return holders.subList(0, latestHolders);
    }

    /** The latest record of the next inode; null at the end. */
    @Nullable
    Record next() throws IOException {
        RecordCursor cursor = cursors.peek();
        if (cursor == null) {
            return null;
        }
        Record latest = record(cursor);
        source = cursor.name();
        holders.clear();
        while (cursor != null && record(cursor).getInode() == latest.getInode()) {
            cursors.remove();
            holders.add(cursor.honeycomb());
            latestHolders = record(cursor).getSequence() == latest.getSequence() ? holders.size() : latestHolders;
            cursor.advance();
            taken++;
            if (cursor.current() != null) {
                cursors.add(cursor);
            }
            cursor = cursors.peek();
        }
        return latest;
    }

    private static Record record(RecordCursor cursor) {
        Record record = cursor.current();
        if (record == null) {
            throw new IllegalStateException(cursor.name() + " is at its end");
        }
        return record;
    }

    private static int compare(Record one, Record other) {
        int byInode = Long.compareUnsigned(one.getInode(), other.getInode());
        return byInode != 0 ? byInode : Long.compare(other.getSequence(), one.getSequence());
    }
}
