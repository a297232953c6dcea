package org.beefs.honeycomb.records;

import com.google.protobuf.ByteString;
import org.beefs.common.wire.RecordPage;

/** Lists a honeycomb's records, for a queen-bee that has lost her disk, or practises that. Thread-safe. */
public final class RecordKeeper {
    /** Far less than a frame holds, as is the largest record. */
    private static final int PAGE_BYTES = 1 << 20;

    private static final int PAGE_RECORDS = 10_000;

    private final ByteString honeycomb;
    private final RecordStore store;

    /**
     * The records of one catalog.
     *
     * @param honeycomb UUID of the folder
     */
    public RecordKeeper(ByteString honeycomb, RecordStore store) {
        this.honeycomb = honeycomb;
        this.store = store;
    }

    /**
     * The next records from an inode on.
     *
     * @param bytes about how many at most; 0 and what is more than {@link #PAGE_BYTES} is that
     */
    public RecordPage page(long from, int bytes) {
        int most = bytes <= 0 ? PAGE_BYTES : Math.min(bytes, PAGE_BYTES);
        return RecordPage.newBuilder()
                .setHoneycomb(honeycomb)
                .setState(store.state())
                .addAllRecords(store.page(from, PAGE_RECORDS, most))
                .setAll(from == 0 ? store.count() : 0)
                .build();
    }
}
