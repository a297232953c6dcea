package org.beefs.honeycomb.replicator;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.store.content.Arrival;
import org.beefs.honeycomb.store.content.Checksums;

/**
 * Copies content into an arrival, in windows; where something is here already only the blocks that differ. An earlier
 * version is copied window by window too, so that this is paced, and ends in time, as the rest. Holes that are both
 * here and there are passed over. What has come is kept whatever ends it. Whether it was of one moment is for others to
 * find out.
 */
final class ContentCopy {
    private static final int MOST_READ = 1 << 20;

    private final Arrival arrival;
    private final Source source;
    private final CopyContext context;

    /** Bytes from the beginning that are all here. Set between one window and the next. */
    private volatile long reached;

    /** Bytes from the beginning behind which there may be a hole at the source. Set as {@link #reached}. */
    private volatile long dense;

    ContentCopy(Arrival arrival, Source source, CopyContext context) {
        this.arrival = arrival;
        this.source = source;
        this.context = context;
    }

    /**
     * Copies the content. Answers whether all of it is here now; false when there was no time for that.
     *
     * @param ctime of the source's file before anything of it is read
     */
    CompletableFuture<Boolean> run(Timestamp ctime) {
        ReplicaId id = ReplicaId.of(fetch().getReplica());
        long here = context.progress().take(id, source.honeycomb(), ctime);
        long begin = arrival.hasContent() ? Math.min(here, arrival.filled()) : 0;
        reached = begin;
        return windows()
                .whenComplete((_, failure) -> {
                    if (reached < fetch().getSize()) {
                        boolean late = fetch().getCheckpoint() && (failure == null || Source.isLate(failure));
                        context.progress().put(id, new Progress.Reached(source.honeycomb(), ctime, reached, late));
                    }
                })
                .exceptionallyCompose(failure -> Source.isLate(failure) && reached > begin
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(failure))
                .thenApply(ended -> reached >= fetch().getSize());
    }

    private Fetch fetch() {
        return arrival.fetch();
    }

    /** Copies windows, one after the other, until all is here or there is no time any more. */
    private CompletableFuture<Void> windows() {
        return passHole().thenCompose(_ -> nextWindow());
    }

    /**
     * Goes on behind a hole, as far as there is one here and at the source. Of a small file that is not asked: many are
     * copied at once.
     */
    private CompletableFuture<Void> passHole() {
        long offset = reached;
        if (fetch().getSize() <= FetchRun.SMALL || offset >= fetch().getSize() || offset < dense) {
            return CompletableFuture.completedFuture(null);
        }
        return context.disk()
                .run(() -> arrival.nextContent(offset))
                .thenCompose(here -> here - offset < Checksums.BLOCK
                        ? CompletableFuture.completedFuture(null)
                        : source.seek(fetch(), offset, false).thenCompose(there -> pass(offset, here, there)));
    }

    private CompletableFuture<Void> pass(long offset, long here, long there) {
        if (there - offset < Checksums.BLOCK) {
            return source.seek(fetch(), there, true).thenAccept(hole -> dense = hole);
        }
        long next = Math.min(here, there);
        long end = next >= fetch().getSize() ? fetch().getSize() : next - next % Checksums.BLOCK;
        return context.disk().run(() -> {
            arrival.fillTo(end);
            reached = end;
            return null;
        });
    }

    private CompletableFuture<Void> nextWindow() {
        long offset = reached;
        long left = fetch().getSize() - offset;
        if (left <= 0) {
            return CompletableFuture.completedFuture(null);
        }
        long length = Math.min(source.window().bytes(), left);
        return context.admission()
                .admit(List.of(fetch()), length, source)
                .thenCompose(admitted -> admitted
                        ? source.window()
                                .measure(length, () -> window(offset, length))
                                .thenCompose(done -> {
                                    reached = offset + length;
                                    return windows();
                                })
                        : CompletableFuture.completedFuture(null));
    }

    private CompletableFuture<Void> window(long offset, long length) {
        if (!arrival.hasContent()) {
            return pieces(List.of(new Range(offset, length)));
        }
        int blocks = Math.toIntExact((length + Checksums.BLOCK - 1) / Checksums.BLOCK);
        return source.checksums(fetch(), offset, blocks)
                .thenCombine(
                        context.disk().run(() -> {
                            arrival.fillTo(offset + length); // admitted as the rest of the window is
                            return ByteString.copyFrom(arrival.checksums(offset, blocks));
                        }),
                        (there, here) -> Range.different(there, here, offset, length))
                .thenCompose(this::pieces);
    }

    /** Copies ranges in pieces. Done when all have ended, also after a failure: until then they may use the arrival. */
    private CompletableFuture<Void> pieces(List<Range> ranges) {
        List<CompletableFuture<Void>> pieces = new ArrayList<>();
        for (Range range : ranges) {
            for (long done = 0; done < range.length(); done += MOST_READ) {
                int length = (int) Math.min(MOST_READ, range.length() - done);
                pieces.add(piece(range.offset() + done, length));
            }
        }
        return CompletableFuture.allOf(pieces.toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<Void> piece(long offset, int length) {
        return source.read(fetch(), offset, length).thenCompose(content -> write(offset, content));
    }

    private CompletableFuture<Void> write(long offset, Payload.Bytes content) {
        return context.disk()
                .<Void>run(() -> {
                    arrival.write(offset, content.buffer());
                    return null;
                })
                .whenComplete((written, failure) -> content.close());
    }
}
