package org.beefs.queenbee.records;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.beefs.common.wire.Record;
import org.beefs.common.wire.Records;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.namespace.CatalogInodes;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.jspecify.annotations.Nullable;

/** Makes records as of one change. Belongs to the namespace thread, for one pass. */
final class RecordEncoder {
    private final Namespace namespace;
    private final RecordPlaces places;
    private final Tombstones tombstones;
    private final long asOf;

    /** Records that several honeycombs may be told; at most as many as fit into the batches of a pass. */
    private final Map<Long, Told> shared = new HashMap<>();

    private final boolean isShared;
    private final Supplier<? extends MessageLite> hive;
    private @Nullable Record hiveRecord;

    private record Told(Inode inode, Record record) {}

    /**
     * @param asOf journal sequence of the last change that the records show
     * @param isShared whether several honeycombs are told, so that records are worth being kept
     * @param hive what catalogs keep about the hive itself
     */
    RecordEncoder(
            Namespace namespace,
            RecordPlaces places,
            Tombstones tombstones,
            long asOf,
            boolean isShared,
            Supplier<? extends MessageLite> hive) {
        this.namespace = namespace;
        this.places = places;
        this.tombstones = tombstones;
        this.asOf = asOf;
        this.isShared = isShared;
        this.hive = hive;
    }

    /** Adds what a honeycomb is to be told of an inode; answers about how many bytes that takes. */
    int add(Long inode, Honeycomb honeycomb, Records.Builder records) {
        Record record = encode(inode, honeycomb);
        if (record != null) {
            records.addRecords(record);
            return record.getContent().size();
        }
        Tombstone tombstone = tombstones.find(inode);
        if (tombstone != null && !tombstone.mayBeForgotten()) {
            records.addRecords(encode(tombstone));
        } else {
            records.addForgotten(inode);
        }
        return Long.BYTES;
    }

    /**
     * The record of an inode with its names; null where it is gone, or the honeycomb is not to have its record any
     * more.
     */
    private @Nullable Record encode(Long inode, Honeycomb honeycomb) {
        Told told = isShared ? shared.computeIfAbsent(inode, this::encodeAnew) : encodeAnew(inode);
        return told != null && places.stillInclude(told.inode(), honeycomb) ? told.record() : null;
    }

    private @Nullable Told encodeAnew(Long number) {
        Inode inode = namespace.find(number);
        return inode == null
                ? null
                : new Told(
                        inode,
                        record(number, CatalogInodes.encode(inode, namespace.links(inode)))
                                .build());
    }

    /** The record that says that an inode is gone. */
    private Record encode(Tombstone tombstone) {
        return record(tombstone.number(), tombstone.toRecord().toByteString())
                .setRemoved(true)
                .build();
    }

    /** The record of the hive itself, made once for all. */
    Record encodeHive() {
        if (hiveRecord == null) {
            hiveRecord = record(0, hive.get().toByteString()).build();
        }
        return hiveRecord;
    }

    private Record.Builder record(long inode, ByteString content) {
        return Record.newBuilder().setInode(inode).setSequence(asOf).setContent(content);
    }
}
