package org.beefs.queenbee.recovery;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.beefs.common.posix.Failures;
import org.beefs.common.wire.Record;
import org.beefs.common.wire.RecordPage;
import org.beefs.common.wire.RecordsState;
import org.jspecify.annotations.Nullable;

/** Goes through the records of one catalog, with one page in memory and one on its way. Not thread-safe. */
final class RecordCursor {
    private final RecordSource source;
    private final RecordPage first;
    private List<Record> records;
    private int place;
    private Predicate<Record> impossible = _ -> false;
    private Consumer<Record> leftOut = _ -> {};

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

    /**
     * Leaves out from now on, and where it stands, what nobody can have written.
     *
     * @param leftOut hears of each
     */
    void leaveOut(Predicate<Record> impossible, Consumer<Record> leftOut) throws IOException {
        this.impossible = impossible;
        this.leftOut = leftOut;
        skip();
    }

    void advance() throws IOException {
        step();
        skip();
    }

    private void skip() throws IOException {
        for (Record record = current(); record != null && impossible.test(record); record = current()) {
            leftOut.accept(record);
            step();
        }
    }

    private void step() throws IOException {
        place++;
        if (place == records.size() && coming != null) {
            records = await(coming).getRecordsList();
            place = 0;
            askForNext();
        }
    }

    private void askForNext() {
        // After the last number there is none: it would begin anew.
        long next = records.isEmpty() ? 0 : records.getLast().getInode() + 1;
        coming = next == 0 ? null : source.page(next);
    }

    private RecordPage await(CompletableFuture<RecordPage> page) throws IOException {
        try {
            return page.get();
        } catch (ExecutionException e) {
            throw new IOException(
                    "%s cannot tell its records: %s"
                            .formatted(source.name(), Failures.toPosix(e).getMessage()),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while records were collected", e);
        }
    }
}
