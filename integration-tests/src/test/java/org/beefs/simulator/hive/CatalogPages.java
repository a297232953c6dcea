package org.beefs.simulator.hive;

import com.google.protobuf.ByteString;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.beefs.common.wire.Record;
import org.beefs.common.wire.RecordPage;
import org.beefs.queenbee.recovery.RecordSource;

/**
 * A honeycomb's catalog as a recovery reads it.
 *
 * @param seen what each of its records is taken for
 */
record CatalogPages(SimDesktop honeycomb, UnaryOperator<Record> seen) implements RecordSource {
    private static final int PAGE_RECORDS = 3;
    private static final int PAGE_BYTES = 1 << 20;

    @Override
    public String name() {
        return honeycomb.host().name();
    }

    @Override
    public CompletableFuture<RecordPage> page(long from) {
        return CompletableFuture.completedFuture(RecordPage.newBuilder()
                .setHoneycomb(ByteString.copyFromUtf8(name()))
                .setState(honeycomb.records().state())
                .addAllRecords(honeycomb.records().page(from, PAGE_RECORDS, PAGE_BYTES).stream()
                        .map(seen)
                        .toList())
                .build());
    }
}
