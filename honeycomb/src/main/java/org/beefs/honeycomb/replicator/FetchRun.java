package org.beefs.honeycomb.replicator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.Fetched;
import org.beefs.common.wire.Fetches;
import org.beefs.common.wire.ReplicaPlace;
import org.beefs.honeycomb.store.Arrivals;

/**
 * One request to fetch versions. Small files travel many at a time, and are brought to disk together; a large one
 * travels alone. What fails in company is tried once more alone, so that one file keeps no others back.
 */
final class FetchRun implements AutoCloseable {
    /** Up to here a file is small. Bytes. */
    static final long SMALL = 1 << 20;

    private static final int MOST_TOGETHER = 64;
    private static final long MOST_BYTES_TOGETHER = 8 * SMALL;

    private final List<Fetch> wanted;
    private final List<Fetched> results;
    private final Arrivals arrivals;
    private final Sources sources;
    private final Progress progress;
    private final DiskTasks disk;
    private final Clock clock;
    private final Admission admission;
    private final long end;

    /** @param end when there is no time any more for what is not done by then, by the boot clock */
    FetchRun(
            Fetches fetches,
            Arrivals arrivals,
            Sources sources,
            Progress progress,
            DiskTasks disk,
            Clock clock,
            Admission admission,
            long end) {
        this.wanted = fetches.getFetchesList();
        this.results = new ArrayList<>(Collections.nCopies(wanted.size(), Fetched.getDefaultInstance()));
        this.arrivals = arrivals;
        this.sources = sources;
        this.progress = progress;
        this.disk = disk;
        this.clock = clock;
        this.admission = admission;
        this.end = end;
    }

    CompletableFuture<List<Fetched>> run() {
        return from(0).thenApply(done -> results);
    }

    /** Closes connections: what is under way fails. */
    @Override
    public void close() {
        sources.close();
    }

    private CompletableFuture<Void> from(int next) {
        if (next == wanted.size() || clock.isPast(end)) {
            return CompletableFuture.completedFuture(null);
        }
        int last = endOfGroup(next);
        return group(next, last).thenCompose(done -> from(last));
    }

    /** A group comes from the same sources. */
    private int endOfGroup(int first) {
        long bytes = 0;
        int last = first;
        while (last < wanted.size()
                && last - first < MOST_TOGETHER
                && (last == first || fitsBeside(wanted.get(last), wanted.get(first), bytes))) {
            bytes += wanted.get(last).getSize();
            last++;
        }
        return last;
    }

    private static boolean fitsBeside(Fetch one, Fetch first, long bytes) {
        return !first.getCheckpoint()
                && !one.getCheckpoint()
                && first.getSize() <= SMALL
                && one.getSize() <= SMALL
                && bytes + one.getSize() <= MOST_BYTES_TOGETHER
                && one.getSourcesList().equals(first.getSourcesList());
    }

    /** Whatever goes wrong with it, the run ends: who waits for that would not take another request. */
    private CompletableFuture<Void> group(int first, int last) {
        return CompletableFuture.completedFuture(wanted.subList(first, last))
                .thenCompose(group -> attempt(group, 0))
                .thenAccept(fetched -> set(first, last, fetched))
                .exceptionallyCompose(failure -> {
                    if (last - first > 1) {
                        return alone(first, last);
                    }
                    PosixException cause = Failures.toPosix(failure);
                    set(
                            first,
                            last,
                            Fetched.newBuilder().setFailure(cause.toFailure()).build());
                    return CompletableFuture.completedFuture(null);
                });
    }

    private CompletableFuture<Void> alone(int next, int last) {
        return next == last || clock.isPast(end)
                ? CompletableFuture.completedFuture(null)
                : group(next, next + 1).thenCompose(done -> alone(next + 1, last));
    }

    private void set(int first, int last, Fetched result) {
        Collections.fill(results.subList(first, last), result);
    }

    /** From one source after the other, until one has given it. */
    private CompletableFuture<Fetched> attempt(List<Fetch> group, int index) {
        Source source = sources.of(place(group, index));
        if (group.getFirst().getCheckpoint()) {
            return new Checkpoint(group.getFirst(), source, arrivals, disk, progress, admission).run();
        }
        return new Transfer(group, source, arrivals, disk, progress, admission)
                .run()
                .thenApply(
                        complete -> Fetched.newBuilder().setComplete(complete).build())
                .exceptionallyCompose(failure -> index + 1 < group.getFirst().getSourcesCount() && !clock.isPast(end)
                        ? attempt(group, index + 1)
                        : CompletableFuture.failedFuture(failure));
    }

    private static ReplicaPlace place(List<Fetch> group, int index) {
        return group.getFirst().getSources(index);
    }
}
