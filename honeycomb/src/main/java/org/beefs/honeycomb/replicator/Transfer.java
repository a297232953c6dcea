package org.beefs.honeycomb.replicator;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.honeycomb.store.Arrival;
import org.beefs.honeycomb.store.Arrivals;
import org.beefs.honeycomb.store.Checksums;

/**
 * Fetches some files from one source. The source carries the version before and after all of the content was read, and nothing changed
 * its file in between: so what came is that version, though it came in pieces.
 */
final class Transfer {
    /** Content under way at a time. Bytes. */
    private static final int WINDOW = Checksums.MOST_BLOCKS * Checksums.BLOCK;

    private static final int MOST_READ = 1 << 20;

    private final List<Fetch> group;
    private final Source source;
    private final Arrivals arrivals;
    private final Executor disk;
    private final LongFunction<CompletableFuture<Boolean>> admission;
    private final List<Arrival> begun = new ArrayList<>();

    /** @param admission done when so many bytes may be copied; with false if there is no time for them */
    Transfer(
            List<Fetch> group,
            Source source,
            Arrivals arrivals,
            Executor disk,
            LongFunction<CompletableFuture<Boolean>> admission) {
        this.group = group;
        this.source = source;
        this.arrivals = arrivals;
        this.disk = disk;
        this.admission = admission;
    }

    /** Whether all of it is here now; false when there was no time for that. */
    CompletableFuture<Boolean> run() {
        return onDisk(this::begin)
                .thenCompose(some -> some ? fetch() : CompletableFuture.completedFuture(true))
                .whenComplete((_, _) -> end());
    }

    /** Whether there is anything that is not here yet. */
    private boolean begin() {
        for (Fetch fetch : group) {
            Arrival arrival = arrivals.begin(fetch, fetch.getSize() > FetchRun.SMALL);
            if (arrival != null) {
                begun.add(arrival);
            }
        }
        return !begun.isEmpty();
    }

    /** Closes files only, which needs no thread that may wait for the disk, and so cannot be refused. */
    private void end() {
        begun.forEach(arrivals::end);
    }

    private CompletableFuture<Boolean> fetch() {
        List<Fetch> missing = begun.stream().map(Arrival::fetch).toList();
        return source.statuses(missing).thenCompose(before -> {
            check(missing, before);
            return contents()
                    .thenCompose(complete -> complete
                            ? source.statuses(missing).thenCompose(after -> install(before, after))
                            : CompletableFuture.completedFuture(false));
        });
    }

    private static void check(List<Fetch> missing, List<ReplicaStatus> statuses) {
        for (int i = 0; i < missing.size(); i++) {
            Fetch fetch = missing.get(i);
            boolean same = i < statuses.size()
                    && statuses.get(i).getVersion() == fetch.getVersion()
                    && statuses.get(i).getSize() == fetch.getSize();
            if (!same) {
                throw changed(fetch);
            }
        }
    }

    /** ctime tells of each change, and nobody can set it. */
    private CompletableFuture<Boolean> install(List<ReplicaStatus> before, List<ReplicaStatus> after) {
        for (int i = 0; i < begun.size(); i++) {
            if (i >= after.size()
                    || after.get(i).getVersion() != before.get(i).getVersion()
                    || !after.get(i).getCtime().equals(before.get(i).getCtime())) {
                throw changed(begun.get(i).fetch());
            }
        }
        return onDisk(() -> {
            arrivals.install(begun);
            return true;
        });
    }

    private static PosixException changed(Fetch fetch) {
        return new PosixException(
                Errno.ESTALE,
                "inode %d is not version %d any more"
                        .formatted(fetch.getReplica().getInode(), fetch.getVersion()));
    }

    /** Small files all at once, a large one in windows. */
    private CompletableFuture<Boolean> contents() {
        if (begun.size() == 1) {
            return windows(begun.getFirst(), 0);
        }
        long bytes =
                begun.stream().mapToLong(arrival -> arrival.fetch().getSize()).sum();
        return admission
                .apply(bytes)
                .thenCompose(admitted -> admitted
                        ? all(begun.stream()
                                .map(arrival ->
                                        window(arrival, 0, arrival.fetch().getSize()))
                                .toList())
                        : CompletableFuture.completedFuture(false));
    }

    private CompletableFuture<Boolean> windows(Arrival arrival, long offset) {
        long left = arrival.fetch().getSize() - offset;
        if (left <= 0) {
            return CompletableFuture.completedFuture(true);
        }
        long length = Math.min(WINDOW, left);
        return admission
                .apply(length)
                .thenCompose(admitted -> admitted
                        ? window(arrival, offset, length).thenCompose(done -> windows(arrival, offset + WINDOW))
                        : CompletableFuture.completedFuture(false));
    }

    private CompletableFuture<Boolean> window(Arrival arrival, long offset, long length) {
        if (!arrival.hasContent()) {
            return pieces(arrival, List.of(new Range(offset, length)));
        }
        int blocks = Math.toIntExact((length + Checksums.BLOCK - 1) / Checksums.BLOCK);
        return source.checksums(arrival.fetch(), offset, blocks)
                .thenCombine(
                        onDisk(() -> ByteString.copyFrom(arrival.checksums(offset, blocks))),
                        (there, here) -> Range.different(there, here, offset, length))
                .thenCompose(ranges -> pieces(arrival, ranges));
    }

    private CompletableFuture<Boolean> pieces(Arrival arrival, List<Range> ranges) {
        List<CompletableFuture<Boolean>> pieces = new ArrayList<>();
        for (Range range : ranges) {
            for (long done = 0; done < range.length(); done += MOST_READ) {
                int length = (int) Math.min(MOST_READ, range.length() - done);
                pieces.add(piece(arrival, range.offset() + done, length));
            }
        }
        return all(pieces);
    }

    private CompletableFuture<Boolean> piece(Arrival arrival, long offset, int length) {
        return source.read(arrival.fetch(), offset, length).thenCompose(content -> write(arrival, offset, content));
    }

    private CompletableFuture<Boolean> write(Arrival arrival, long offset, Payload.Bytes content) {
        return onDisk(() -> {
                    arrival.write(offset, content.buffer());
                    return true;
                })
                .whenComplete((written, failure) -> content.close());
    }

    /** Done when all have ended, also after a failure: until then they may use what this holds. */
    private static CompletableFuture<Boolean> all(List<CompletableFuture<Boolean>> parts) {
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new)).thenApply(done -> true);
    }

    private <T> CompletableFuture<T> onDisk(Supplier<T> work) {
        try {
            return CompletableFuture.supplyAsync(work, disk);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(new PosixException(Errno.EAGAIN, "too much waits for the disk"));
        }
    }
}
