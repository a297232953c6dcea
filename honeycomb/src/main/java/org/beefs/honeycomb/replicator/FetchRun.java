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

/**
 * One request to fetch versions. Small files travel many at a time, and are brought to disk together; a large one
 * travels alone. What fails in company is tried once more alone, so that one file keeps no others back. A source that
 * could not be reached is not asked again, so that it keeps back no files that are elsewhere.
 */
final class FetchRun implements AutoCloseable {
    /** Bytes up to which a file is small. */
    static final long SMALL = 1 << 20;

    private static final int MOST_TOGETHER = 64;

    private final List<Fetch> wanted;
    private final List<Fetched> results;
    private final Sources sources;
    private final Clock clock;
    private final CopyContext context;
    private final long end;

    /** @param end when there is no time any more for what is not done by then, by the boot clock */
    FetchRun(Fetches fetches, Sources sources, Clock clock, CopyContext context, long end) {
        this.wanted = fetches.getFetchesList();
        this.results = new ArrayList<>(Collections.nCopies(wanted.size(), Fetched.getDefaultInstance()));
        this.sources = sources;
        this.clock = clock;
        this.context = context;
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

    /**
     * Fetches groups, one after the other; in a loop as long as they end at once, as those do whose sources cannot be
     * reached.
     */
    private CompletableFuture<Void> from(int next) {
        int first = next;
        while (first < wanted.size() && !clock.isPast(end)) {
            int last = endOfGroup(first);
            CompletableFuture<Void> group = group(first, last);
            if (!group.isDone()) {
                return group.thenCompose(done -> from(last));
            }
            first = last;
        }
        return CompletableFuture.completedFuture(null);
    }

    /** A group comes from the same sources. It is no larger than what the first of them is asked for at a time. */
    private int endOfGroup(int first) {
        long mostBytes = mostTogether(wanted.get(first));
        long bytes = 0;
        int last = first;
        while (last < wanted.size()
                && last - first < MOST_TOGETHER
                && (last == first || fitsBeside(wanted.get(last), wanted.get(first), mostBytes - bytes))) {
            bytes += wanted.get(last).getSize();
            last++;
        }
        return last;
    }

    private long mostTogether(Fetch fetch) {
        return fetch.getSourcesCount() == 0
                ? Window.LEAST
                : sources.window(fetch.getSources(0)).bytes();
    }

    private static boolean fitsBeside(Fetch one, Fetch first, long room) {
        return !first.getCheckpoint()
                && !one.getCheckpoint()
                && first.getSize() <= SMALL
                && one.getSize() <= SMALL
                && one.getSize() <= room
                && one.getSourcesList().equals(first.getSourcesList());
    }

    /** Fetches a group. Never fails, so that the run goes on to its end: until then no other request is taken. */
    private CompletableFuture<Void> group(int first, int last) {
        return CompletableFuture.completedFuture(wanted.subList(first, last))
                .thenCompose(group -> attempt(group, 0))
                .thenAccept(fetched -> set(first, last, fetched))
                .exceptionallyCompose(failure -> {
                    boolean unreachable =
                            sources.areUnreachable(wanted.get(first).getSourcesList());
                    if (last - first > 1 && !unreachable) {
                        return alone(first, last);
                    }
                    if (first == 0 || !Source.isLate(failure)) {
                        set(first, last, failed(failure, unreachable));
                    }
                    return CompletableFuture.completedFuture(null);
                });
    }

    private static Fetched failed(Throwable failure, boolean unreachable) {
        return Fetched.newBuilder()
                .setFailure(Failures.toPosix(failure).toFailure())
                .setUnreachable(unreachable)
                .build();
    }

    private CompletableFuture<Void> alone(int next, int last) {
        return next == last || clock.isPast(end)
                ? CompletableFuture.completedFuture(null)
                : group(next, next + 1).thenCompose(done -> alone(next + 1, last));
    }

    private void set(int first, int last, Fetched result) {
        Collections.fill(results.subList(first, last), result);
    }

    /** Fetches from one source after the other, until one has given all. */
    private CompletableFuture<Fetched> attempt(List<Fetch> group, int index) {
        Source source = sources.of(place(group, index));
        return fetch(group, source).exceptionallyCompose(failure -> {
            if (index + 1 == group.getFirst().getSourcesCount()) {
                return CompletableFuture.failedFuture(failure);
            }
            return clock.isPast(end)
                    ? CompletableFuture.failedFuture(Source.late("it could not be asked of another desktop"))
                    : attempt(group, index + 1);
        });
    }

    private CompletableFuture<Fetched> fetch(List<Fetch> group, Source source) {
        PosixException unreachable = source.unreachable();
        if (unreachable != null) {
            return CompletableFuture.failedFuture(unreachable);
        }
        if (group.getFirst().getCheckpoint()) {
            return new Checkpoint(group.getFirst(), source, context).run();
        }
        return new Transfer(group, source, context)
                .run()
                .thenApply(
                        complete -> Fetched.newBuilder().setComplete(complete).build());
    }

    private static ReplicaPlace place(List<Fetch> group, int index) {
        return group.getFirst().getSources(index);
    }
}
