package org.beefs.queenbee.testing;

import com.google.protobuf.ByteString;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.Record;
import org.beefs.common.wire.RecordPage;
import org.beefs.common.wire.RecordsState;
import org.beefs.queenbee.recovery.RecordSource;

/** The catalog of a test's honeycomb, told in small pages. */
public record ListedRecords(String name, ByteString honeycomb, RecordsState state, List<Record> records)
        implements RecordSource {
    private static final int PAGE = 7;

    public static ListedRecords of(TestDesktop desktop) {
        return of(desktop, desktop.records().values());
    }

    /** With other records than it has. */
    public static ListedRecords of(TestDesktop desktop, Collection<Record> records) {
        return new ListedRecords(
                desktop.name(), TestDesktop.uuid(desktop.name()), desktop.recordsState(), List.copyOf(records));
    }

    @Override
    public CompletableFuture<RecordPage> page(long from) {
        return CompletableFuture.completedFuture(RecordPage.newBuilder()
                .setHoneycomb(honeycomb)
                .setState(state)
                .setAll(records.size())
                .addAllRecords(records.stream()
                        .filter(record -> Long.compareUnsigned(record.getInode(), from) >= 0)
                        .limit(PAGE)
                        .toList())
                .build());
    }
}
