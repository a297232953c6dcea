package org.beefs.queenbee.recovery;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.beefs.common.posix.Failures;
import org.beefs.common.wire.Record;
import org.beefs.common.wire.RecordPage;
import org.beefs.common.wire.RecordsState;
import org.jspecify.annotations.Nullable;

/** Goes through the records of one catalog, with one page in memory and one on its way. Not thread-safe. */
final class RecordCursor {
    private static final Duration PAGE = Duration.ofSeconds(30);

    private final RecordSource source;
    private final RecordPage first;
    private List<Record> records;
    private int place;

    /** The page on its way; null when nothing follows. */
    private @Nullable CompletableFuture<RecordPage> coming;

    RecordCursor(RecordSource source) throws IOException {
        this.source = source;
        first = await(source.page(0));
        records = first.getRecordsList();
        askForNext();
    }

    ByteString honeycomb() {
        return first.getHoneycomb();
    }

    RecordsState state() {
        return first.getState();
    }

    /** How many there are in all. */
    long all() {
        return first.getAll();
    }

    String name() {
        return source.name();
    }

    /** The record it stands at; null at the end. */
    @Nullable
    Record current() {
        return place < records.size() ? records.get(place) : null;
    }

    void advance() throws IOException {
        place++;
        if (place == records.size() && coming != null) {
            records = await(coming).getRecordsList();
            place = 0;
            askForNext();
        }
    }

    private void askForNext() {
        coming = records.isEmpty() ? null : source.page(records.getLast().getInode() + 1);
    }

    private RecordPage await(CompletableFuture<RecordPage> page) throws IOException {
        try {
            return page.get(PAGE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IOException(
                    "%s cannot tell its records: %s"
                            .formatted(source.name(), Failures.toPosix(e).getMessage()),
                    e);
        } catch (TimeoutException e) {
            throw new IOException(
                    "%s does not tell its records within %d s".formatted(source.name(), PAGE.toSeconds()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while records were collected", e);
        }
    }
}
