package org.beefs.honeybee.data;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.Observations;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.wire.ReplicaStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What programs were told is written to one file and is on its way to the honeycomb. The first write leaves at once;
 * while any is under way the following are gathered, up to what one request holds. So nothing ever waits for more than
 * the requests before it, and the slower the way is the larger they get. Writes that are under way at a time do not
 * overlap, because they may be carried out in any order. Thread-safe; senders are called without the lock.
 */
public final class DelayedFile {
    /** Bytes of one file that may be held back. */
    static final int MOST_BYTES = 8 * DelayedWrite.MOST;

    /** Requests under way for one file. */
    static final int MOST_WRITES = 64;

    private static final Logger LOG = LoggerFactory.getLogger(DelayedFile.class);

    /**
     * Brings content to the honeycomb, as long as it is wanted. Keeps ownership of nothing; the content stays unchanged
     * until the future is done.
     */
    public interface Sender {
        CompletableFuture<ReplicaStatus> send(long offset, ByteBuf content, BooleanSupplier wanted);
    }

    private final WriteBehind all;
    private final long inode;

    // Guarded by this.
    private final List<DelayedWrite> underWay = new ArrayList<>();
    private @Nullable DelayedWrite gathering;
    private int bytes;
    private int failures;
    private @Nullable PosixException lastFailure;

    /** What the replica was like after the last change that has ended. */
    private @Nullable ReplicaStatus latest;

    /** The write lease under which that change was made. Others may have changed the replica before and after it. */
    private long latestLease;

    /** Whether a change has ended of which nobody knows when it was made, or whether it lasts. */
    private boolean doubtful;

    DelayedFile(WriteBehind all, long inode) {
        this.all = all;
        this.inode = inode;
    }

    long inode() {
        return inode;
    }

    /**
     * Takes content over as soon as there is room.
     *
     * @param sender equal for all writes through one handle
     * @return done when the write may be answered, with what becomes of it; empty when it must not be held back
     */
    public CompletableFuture<Optional<CompletableFuture<ReplicaStatus>>> write(
            long offset, ByteBuf content, Sender sender) {
        List<DelayedWrite> ready = new ArrayList<>();
        DelayedWrite obstacle;
        try {
            synchronized (this) {
                obstacle = obstacle(offset, content.readableBytes(), sender, ready);
                if (obstacle == null) {
                    return CompletableFuture.completedFuture(take(offset, content, sender, ready));
                }
            }
        } finally {
            ready.forEach(this::send);
        }
        return CurrentRequest.of(obstacle.written)
                .handle((status, failure) -> obstacle)
                .thenCompose(gone -> write(offset, content, sender));
    }

    /** Others may have changed the file since: what was taken over before fails, unless it is at the honeycomb. */
    void giveUp() {
        List<DelayedWrite> ready = new ArrayList<>();
        synchronized (this) {
            begin(ready);
            underWay.forEach(DelayedWrite::giveUp);
        }
        ready.forEach(this::send);
    }

    /** Done when all that was taken over before is written, or has failed. */
    public CompletableFuture<Void> flush() {
        List<DelayedWrite> ready = new ArrayList<>();
        CompletableFuture<?>[] pending;
        synchronized (this) {
            begin(ready);
            pending = underWay.stream()
                    .map(write -> write.written.handle((status, failure) -> write))
                    .toArray(CompletableFuture[]::new);
        }
        ready.forEach(this::send);
        return CurrentRequest.of(CompletableFuture.allOf(pending));
    }

    /**
     * What the replica is like: as long as the write lease holds nobody else changes it, so the last change's answer
     * says that. Done when what was taken over before is written; empty when the honeycomb has to be asked.
     */
    CompletableFuture<Optional<ReplicaStatus>> status() {
        return flush().thenApply(done -> knownStatus());
    }

    private synchronized Optional<ReplicaStatus> knownStatus() {
        long lease = all.lease(inode);
        return doubtful || lease == 0 || lease != latestLease ? Optional.empty() : Optional.ofNullable(latest);
    }

    /** What a change has left behind may have gone. */
    synchronized void doubt() {
        doubtful = true;
    }

    /**
     * A change of the replica has ended. Called before anybody hears of that.
     *
     * @param begun the write lease under which it began
     * @param status what it has left behind; null when that is not known
     */
    synchronized void observe(long begun, @Nullable ReplicaStatus status) {
        long lease = all.lease(inode);
        if (status == null || begun != lease) {
            doubtful = true;
        } else if (latest == null || lease != latestLease || Observations.isLater(status, latest)) {
            latest = status;
            latestLease = lease;
        }
    }

    /** Bytes that are on their way, or gathered. */
    synchronized int bytes() {
        return bytes;
    }

    /** How often a write has failed after it was answered. */
    public synchronized int failures() {
        return failures;
    }

    /** Why that happened last. */
    public synchronized @Nullable PosixException lastFailure() {
        return lastFailure;
    }

    /** What must be written first: what is there already of the same place, or the oldest when there is too much. */
    private @Nullable DelayedWrite obstacle(long offset, int length, Sender sender, List<DelayedWrite> ready) {
        if (gathering != null && !gathering.takes(offset, length, sender)) {
            begin(ready);
        }
        for (DelayedWrite write : underWay) {
            if (write.overlaps(offset, length)) {
                return write;
            }
        }
        boolean full = bytes + length > MOST_BYTES || underWay.size() >= MOST_WRITES;
        return full && !underWay.isEmpty() ? underWay.getFirst() : null;
    }

    private Optional<CompletableFuture<ReplicaStatus>> take(
            long offset, ByteBuf content, Sender sender, List<DelayedWrite> ready) {
        int begun = gathering == null ? 1 : 0;
        if (all.lease(inode) == 0 || !all.reserve(content.readableBytes(), begun)) {
            return Optional.empty();
        }
        try {
            return Optional.of(gather(offset, content, sender, ready).written);
        } catch (RuntimeException | Error e) { // without memory for it
            all.giveBack(content.readableBytes(), begun);
            throw e;
        }
    }

    private DelayedWrite gather(long offset, ByteBuf content, Sender sender, List<DelayedWrite> ready) {
        DelayedWrite write = gathering == null
                ? new DelayedWrite(offset, content.readableBytes(), sender, all.lease(inode))
                : gathering;
        write.add(content);
        gathering = write;
        bytes += content.readableBytes();
        if (underWay.isEmpty() || write.isFull()) {
            begin(ready);
        }
        return write;
    }

    /** What was gathered is to be sent, when the lock is released. */
    private void begin(List<DelayedWrite> ready) {
        if (gathering != null) {
            underWay.add(gathering);
            ready.add(gathering);
            gathering = null;
        }
    }

    private void send(DelayedWrite write) {
        write.send().whenComplete((status, failure) -> ended(write, status, failure));
    }

    private void ended(DelayedWrite write, @Nullable ReplicaStatus status, @Nullable Throwable failure) {
        List<DelayedWrite> ready = new ArrayList<>();
        boolean first = false;
        synchronized (this) {
            underWay.remove(write);
            bytes -= write.length();
            observe(write.lease, status);
            if (failure != null) {
                first = failures == 0;
                failures++;
                lastFailure = Failures.toPosix(failure);
            }
            if (underWay.isEmpty()) {
                begin(ready);
            }
        }
        all.giveBack(write.length(), 1);
        if (failure == null) {
            write.written.complete(status);
        } else {
            if (first) {
                LOG.warn(
                        "what programs take for written to inode {} cannot be written; they are told when they sync or close: {}",
                        inode,
                        Failures.toPosix(failure).getMessage());
            }
            write.written.completeExceptionally(failure);
        }
        ready.forEach(this::send);
    }
}
