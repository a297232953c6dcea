package org.beefs.honeybee.filesystem.content;

import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Failures;
import org.beefs.common.replica.ReplicaAccess;
import org.beefs.common.rpc.Payload;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.common.wire.SetTimes;
import org.beefs.honeybee.data.DelayedFile;
import org.beefs.honeybee.data.Honeycombs;
import org.beefs.honeybee.filesystem.Holes;
import org.beefs.honeybee.queen.Metadata;
import org.beefs.honeybee.queen.QueenProxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and changes what is in open files. */
public final class Content {
    private static final Logger LOG = LoggerFactory.getLogger(Content.class);

    private final QueenProxy queen;
    private final Honeycombs honeycombs;
    private final CurrentReplicas current;
    private final PrimaryReplica primary;
    private final HoneycombCopies copies;
    private final ConfirmedWrites confirmed;
    private final Privileges privileges;

    public Content(QueenProxy queen, Metadata metadata, Honeycombs honeycombs, Privileges privileges, Timers timers) {
        this.queen = queen;
        this.honeycombs = honeycombs;
        PresentLayouts layouts = new PresentLayouts(queen);
        this.primary = new PrimaryReplica(queen, layouts, honeycombs);
        this.copies = new HoneycombCopies(layouts, honeycombs, primary, privileges);
        this.current = new CurrentReplicas(layouts, metadata, primary, honeycombs, timers);
        this.confirmed = new ConfirmedWrites(queen);
        this.privileges = privileges;
    }

    public CompletableFuture<Payload.Bytes> read(OpenHandle handle, long offset, int length) {
        // Slices of files come out of honeycombs only to be sent: nobody here is answered one.
        ReplicaOperation<Payload.Bytes> read = (replicas, target) -> honeycombs
                .readAhead()
                .read(target.getInode(), offset, length, () -> replicas.read(target, offset, length))
                .thenApply(Payload.Bytes.class::cast);
        CompletableFuture<Payload.Bytes> content = current.read(handle, read, Payload::close);
        return honeycombs.lacks(handle.layout()) ? counted(handle, content) : content;
    }

    private static CompletableFuture<Payload.Bytes> counted(
            OpenHandle handle, CompletableFuture<Payload.Bytes> content) {
        return content.thenApply(payload -> {
            handle.observeCarried(payload.length());
            return payload;
        });
    }

    /**
     * As lseek(2). The kernel asks without bringing what mappings have stored, and would be told that there is nothing
     * where a replica still has a hole. So a file that somebody has open to write is data up to its end, as on a file
     * system that knows no holes; but not where the kernel writes the replica itself, whose file system knows.
     */
    public CompletableFuture<Long> seek(OpenHandle handle, long offset, boolean hole) {
        ReplicaOperation<Long> seek = handle.inode().mayHaveUnwrittenPages()
                ? (replicas, target) -> seekWithoutHoles(replicas, target, offset, hole)
                : (replicas, target) -> replicas.seek(target, offset, hole);
        return current.read(handle, seek, position -> {});
    }

    /** Only what nobody changes has an exact version; of what is not there the replica says why. */
    private static CompletableFuture<Long> seekWithoutHoles(
            ReplicaAccess replicas, ReplicaTarget target, long offset, boolean hole) {
        return replicas.statuses(List.of(target)).thenCompose(found -> {
            ReplicaStatus status = found.getFirst();
            return status.getExists() && target.getExactVersion() == 0
                    ? Futures.attempt(
                            () -> CompletableFuture.completedFuture(Holes.none(status.getSize(), offset, hole)))
                    : replicas.seek(target, offset, hole);
        });
    }

    /** Done when the honeycomb has the content, or when that may be held back. */
    public CompletableFuture<Void> write(
            OpenHandle handle, long offset, ByteBuf content, boolean append, boolean clearPrivileges) {
        handle.tellFailure();
        return bring(handle, offset, content, append, clearPrivileges);
    }

    /**
     * As {@link #write}, of what the kernel has kept in pages. It brings them only once, whatever becomes of that, so
     * an earlier failure is left to the next write, sync or close.
     */
    public CompletableFuture<Void> writePages(
            OpenHandle handle, long offset, ByteBuf content, boolean clearPrivileges) {
        return bring(handle, offset, content, false, clearPrivileges);
    }

    private CompletableFuture<Void> bring(
            OpenHandle handle, long offset, ByteBuf content, boolean append, boolean clearPrivileges) {
        DelayedFile delayed = handle.delayed();
        return delayed == null || append || privileges.mayBeLost(handle.inode(), clearPrivileges)
                ? writeThrough(handle, offset, content, append, clearPrivileges)
                : hold(handle, delayed, offset, content, clearPrivileges);
    }

    /**
     * The change is under way until the honeycomb has it, so that a release waits. As long as the write lease holds
     * nobody else has given the file privileges.
     */
    private CompletableFuture<Void> hold(
            OpenHandle handle, DelayedFile delayed, long offset, ByteBuf content, boolean clearPrivileges) {
        handle.changes().begin();
        return Futures.attempt(() -> delayed.write(offset, content, new WriteBack(this, handle)))
                .exceptionally(withoutMemory -> Optional.empty())
                .thenCompose(taken -> {
                    if (taken.isPresent()) {
                        taken.get()
                                .whenComplete(
                                        (status, failure) -> handle.changes().end(status));
                        return Futures.DONE;
                    }
                    return changeBegun(
                                    handle,
                                    content.readableBytes(),
                                    clearPrivileges,
                                    (replicas, target) -> replicas.write(target, offset, false, content))
                            .thenAccept(status -> {});
                });
    }

    /**
     * Brings what was held back of a handle's writes to the honeycomb. A sync that waits for it must cover it, so it
     * counts as a change before anybody can hear that it is there.
     */
    private record WriteBack(Content content, OpenHandle handle) implements DelayedFile.Sender {
        @Override
        public CompletableFuture<ReplicaStatus> send(long offset, ByteBuf bytes, BooleanSupplier wanted) {
            return content.confirmed
                    .send(
                            wanted,
                            () -> content.primary.change(
                                    handle,
                                    bytes.readableBytes(),
                                    layout -> content.honeycombs.bypassingWriteBehind(layout, wanted),
                                    (replicas, target) -> replicas.write(target, offset, false, bytes)))
                    .thenApply(status -> {
                        handle.changed(status);
                        return status;
                    });
        }
    }

    private CompletableFuture<Void> writeThrough(
            OpenHandle handle, long offset, ByteBuf content, boolean append, boolean clearPrivileges) {
        return change(
                        handle,
                        content.readableBytes(),
                        clearPrivileges,
                        (replicas, target) -> replicas.write(target, offset, append, content))
                .thenAccept(status -> {});
    }

    /**
     * Done when what was written before is at its honeycomb, and on as many disks as was promised; fails if it could
     * not be brought there.
     */
    public CompletableFuture<Void> flush(OpenHandle handle) {
        if (!handle.isSyncedAtClose()) {
            return handle.flush().thenRun(handle::showFailure);
        }
        return (handle.isSecured() ? secure(handle, false) : atPrimary(handle, false)).thenRun(handle::showFailure);
    }

    public CompletableFuture<ReplicaStatus> truncate(OpenHandle handle, long size, boolean clearPrivileges) {
        return change(handle, 0, clearPrivileges, (replicas, target) -> replicas.truncate(target, size));
    }

    public CompletableFuture<ReplicaStatus> allocate(
            OpenHandle handle, int mode, long offset, long length, boolean clearPrivileges) {
        return change(
                handle, length, clearPrivileges, (replicas, target) -> replicas.allocate(target, mode, offset, length));
    }

    /** As {@link HoneycombCopies#copy}. */
    public CompletableFuture<Long> copy(
            OpenHandle source, long from, OpenHandle target, long to, long length, boolean clearPrivileges) {
        return copies.copy(source, from, target, to, length, clearPrivileges);
    }

    public CompletableFuture<ReplicaStatus> setTimes(OpenHandle handle, SetTimes times) {
        handle.changes().begin();
        return primary.changeAfter(
                handle, 0, () -> Futures.DONE, honeycombs::at, (replicas, target) -> replicas.setTimes(target, times));
    }

    /** Done when the content, and all namespace changes answered so far, are on disks. */
    public CompletableFuture<Void> sync(OpenHandle handle, boolean dataOnly) {
        CompletableFuture<Void> synced = handle.isSecured()
                ? secure(handle, dataOnly)
                : CompletableFuture.allOf(
                        toDisk(handle, dataOnly), queen.sync().thenCompose(done -> handle.answered()));
        return synced.thenRun(() ->
                handle.tellFailure(honeycombs.writeBehind().find(handle.open().inode())));
    }

    /** What was written before is then on several desktops' disks, and the queen-bee's disk tells on which. */
    private CompletableFuture<Void> secure(OpenHandle handle, boolean dataOnly) {
        return toDisk(handle, dataOnly)
                .thenCompose(synced -> queen.secure(handle.open().inode()))
                .whenComplete((secured, failure) -> {
                    if (failure != null) {
                        LOG.warn(
                                "a file is not as safe as its P-factor demands: {}",
                                Failures.toPosix(failure).getMessage());
                    }
                })
                .thenCompose(secured -> queen.sync());
    }

    /**
     * Brings a file's content to disk. A handle that only reads does not wait for a primary that is away, if nothing is
     * left to be done there.
     */
    private CompletableFuture<Void> toDisk(OpenHandle handle, boolean dataOnly) {
        return current.isCopied(handle).thenCompose(copied -> copied ? Futures.DONE : atPrimary(handle, dataOnly));
    }

    /** What is held back is there before the sync begins, and covered by it. */
    private CompletableFuture<Void> atPrimary(OpenHandle handle, boolean dataOnly) {
        UnsyncedChanges unsynced = handle.inode().unsynced();
        return honeycombs.writeBehind().flush(handle.open().inode()).thenCompose(flushed -> {
            long covered = unsynced.changes();
            return primary.at(handle, (replicas, target) -> replicas.sync(target, dataOnly))
                    .thenAccept(status -> unsynced.synced(handle.layout(), status, covered));
        });
    }

    /**
     * The change counts as under way from here on, so that a release waits also while privileges are taken away.
     *
     * @param growth bytes that it may need
     */
    private CompletableFuture<ReplicaStatus> change(
            OpenHandle handle, long growth, boolean clearPrivileges, ReplicaOperation<ReplicaStatus> operation) {
        handle.changes().begin();
        return changeBegun(handle, growth, clearPrivileges, operation);
    }

    private CompletableFuture<ReplicaStatus> changeBegun(
            OpenHandle handle, long growth, boolean clearPrivileges, ReplicaOperation<ReplicaStatus> operation) {
        return primary.changeAfter(
                handle, growth, () -> privileges.clear(handle.inode(), clearPrivileges), honeycombs::at, operation);
    }
}
