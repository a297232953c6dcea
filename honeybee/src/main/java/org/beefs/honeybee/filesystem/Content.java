package org.beefs.honeybee.filesystem;

import io.netty.buffer.ByteBuf;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.FileCapabilities;
import org.beefs.common.replica.ReplicaAccess;
import org.beefs.common.rpc.Payload;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.common.wire.SetAttributes;
import org.beefs.common.wire.SetTimes;
import org.beefs.honeybee.Futures;
import org.beefs.honeybee.Patience;
import org.beefs.honeybee.data.DelayedFile;
import org.beefs.honeybee.data.Honeycombs;
import org.beefs.honeybee.data.ReplicaTargets;
import org.beefs.honeybee.queen.QueenProxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and changes what is in open files. */
final class Content {
    private static final Logger LOG = LoggerFactory.getLogger(Content.class);
    private static final Credentials DAEMON = Credentials.getDefaultInstance();
    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final QueenProxy queen;
    private final Metadata metadata;
    private final Honeycombs honeycombs;
    private final CurrentReplicas current;
    private final FullHoneycombs full;

    Content(QueenProxy queen, Metadata metadata, Honeycombs honeycombs, Timers timers) {
        this.queen = queen;
        this.metadata = metadata;
        this.honeycombs = honeycombs;
        this.current = new CurrentReplicas(queen, metadata, honeycombs, timers);
        this.full = new FullHoneycombs(queen);
    }

    CompletableFuture<Payload> read(OpenHandle handle, long offset, int length) {
        BiFunction<ReplicaAccess, ReplicaTarget, CompletableFuture<Payload>> read = (replicas, target) ->
                honeycombs.ahead().read(target.getInode(), offset, length, () -> replicas.read(target, offset, length));
        CompletableFuture<Payload> content = current.read(handle, read, () -> at(handle, read), Payload::close);
        return honeycombs.lacks(handle.layout()) ? counted(handle, content) : content;
    }

    private static CompletableFuture<Payload> counted(OpenHandle handle, CompletableFuture<Payload> content) {
        return content.thenApply(payload -> {
            handle.observeCarried(payload.length());
            return payload;
        });
    }

    CompletableFuture<Long> seek(OpenHandle handle, long offset, boolean hole) {
        BiFunction<ReplicaAccess, ReplicaTarget, CompletableFuture<Long>> seek =
                (replicas, target) -> replicas.seek(target, offset, hole);
        return current.read(handle, seek, () -> at(handle, seek), position -> {});
    }

    /** Done when the honeycomb has the content, or when that may be held back. */
    CompletableFuture<Void> write(
            OpenHandle handle, long offset, ByteBuf content, boolean append, boolean clearPrivileges) {
        handle.tellFailure();
        DelayedFile delayed = handle.delayed();
        boolean clears = clearPrivileges
                ? mayHavePrivileges(handle.inode())
                : handle.inode().mayHaveFileCapabilities();
        return delayed == null || append || clears
                ? writeThrough(handle, offset, content, append, clearPrivileges)
                : hold(handle, delayed, offset, content, clearPrivileges);
    }

    /** Also such as it got through another mount of this desktop. */
    private boolean mayHavePrivileges(OpenInode inode) {
        Node known = metadata.knownRights(inode.number());
        if (known == null) {
            return true;
        }
        inode.observe(known);
        return inode.hasPrivileges();
    }

    /**
     * The change is under way until the honeycomb has it, so that a release waits. As long as the write lease holds
     * nobody else has given the file privileges.
     */
    private CompletableFuture<Void> hold(
            OpenHandle handle, DelayedFile delayed, long offset, ByteBuf content, boolean clearPrivileges) {
        handle.changes().begin();
        return Futures.attempt(() -> delayed.write(offset, content, new Past(this, handle)))
                .exceptionally(withoutMemory -> Optional.empty())
                .thenCompose(taken -> {
                    if (taken.isPresent()) {
                        taken.get().whenComplete((status, failure) -> handle.changeEnds(status));
                        return DONE;
                    }
                    return changeBegun(
                                    handle,
                                    content.readableBytes(),
                                    clearPrivileges,
                                    (replicas, target) -> replicas.write(target, offset, false, content))
                            .thenAccept(status -> {});
                });
    }

    /** Brings what was held back of a handle's writes to the honeycomb. */
    private record Past(Content content, OpenHandle handle) implements DelayedFile.Sender {
        @Override
        public CompletableFuture<ReplicaStatus> send(long offset, ByteBuf bytes, BooleanSupplier wanted) {
            return content.relieved(
                    handle,
                    bytes.readableBytes(),
                    layout -> content.honeycombs.past(layout, wanted),
                    (replicas, target) -> replicas.write(target, offset, false, bytes));
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
    CompletableFuture<Void> flush(OpenHandle handle) {
        if (!handle.isSyncedAtClose()) {
            return handle.flush().thenRun(handle::showFailure);
        }
        return (handle.isSecured() ? secure(handle, false) : atPrimary(handle, false)).thenRun(handle::showFailure);
    }

    CompletableFuture<ReplicaStatus> truncate(OpenHandle handle, long size, boolean clearPrivileges) {
        return change(handle, 0, clearPrivileges, (replicas, target) -> replicas.truncate(target, size));
    }

    CompletableFuture<ReplicaStatus> allocate(
            OpenHandle handle, int mode, long offset, long length, boolean clearPrivileges) {
        return change(
                handle, length, clearPrivileges, (replicas, target) -> replicas.allocate(target, mode, offset, length));
    }

    /**
     * Copies what lies in one honeycomb there, at most {@link ReplicaAccess#MAX_COPY} bytes. Fails with EXDEV if it
     * does not, also when it is not certain any more where it lies: who reads and writes instead finds out.
     */
    CompletableFuture<Long> copy(
            OpenHandle source, long from, OpenHandle target, long to, long length, boolean clearPrivileges) {
        Layout read = source.layout();
        if (!read.getHoneycomb().equals(target.layout().getHoneycomb())) {
            return Futures.failed(Errno.EXDEV, "the files lie in different honeycombs");
        }
        long most = Math.min(length, ReplicaAccess.MAX_COPY);
        AtomicLong copied = new AtomicLong();
        return change(
                        target,
                        most,
                        clearPrivileges,
                        (replicas, written) -> replicas.copy(ReplicaTargets.of(read), from, written, to, most)
                                .thenApply(done -> {
                                    copied.set(done.bytes());
                                    return done.status();
                                }))
                .thenApply(status -> copied.get())
                .exceptionallyCompose(failure -> Failures.toPosix(failure).errno() == Errno.ESTALE
                        ? Futures.failed(Errno.EXDEV, "the files may lie elsewhere by now")
                        : CompletableFuture.failedFuture(failure));
    }

    CompletableFuture<ReplicaStatus> setTimes(OpenHandle handle, SetTimes times) {
        handle.changes().begin();
        return changeAfter(handle, 0, () -> DONE, (replicas, target) -> replicas.setTimes(target, times));
    }

    /** Done when the content, and all namespace changes answered so far, are on disks. */
    CompletableFuture<Void> sync(OpenHandle handle, boolean dataOnly) {
        CompletableFuture<Void> synced = handle.isSecured()
                ? secure(handle, dataOnly)
                : CompletableFuture.allOf(
                        atPrimary(handle, dataOnly), queen.sync().thenCompose(done -> handle.known()));
        return synced.thenRun(
                () -> handle.tellFailure(honeycombs.behind().find(handle.open().inode())));
    }

    /** What was written before is then on several desktops' disks, and the queen-bee's disk tells on which. */
    private CompletableFuture<Void> secure(OpenHandle handle, boolean dataOnly) {
        return atPrimary(handle, dataOnly)
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

    private CompletableFuture<Void> atPrimary(OpenHandle handle, boolean dataOnly) {
        UnsyncedChanges unsynced = handle.inode().unsynced();
        long covered = unsynced.changes();
        return at(handle, (replicas, target) -> replicas.sync(target, dataOnly))
                .thenAccept(status -> unsynced.synced(handle.layout(), status, covered));
    }

    /**
     * Takes set-id bits away before somebody without privilege changes the content, and file capabilities whoever does,
     * as the kernel does with local files.
     */
    private CompletableFuture<Void> clearPrivileges(OpenInode inode, boolean setId) {
        return setId ? clearPrivileges(inode) : clearFileCapabilities(inode);
    }

    private CompletableFuture<Void> clearFileCapabilities(OpenInode inode) {
        return inode.mayHaveFileCapabilities()
                ? forgetting(
                        inode,
                        () -> queen.removeXattr(DAEMON, inode.number(), FileCapabilities.XATTR)
                                .exceptionallyCompose(
                                        failure -> Failures.toPosix(failure).errno() == Errno.ENODATA
                                                ? DONE
                                                : CompletableFuture.failedFuture(failure)))
                : DONE;
    }

    /** Forgets file capabilities before they are taken away: those that somebody gives meanwhile stay known. */
    private static <T> CompletableFuture<T> forgetting(OpenInode inode, Supplier<CompletableFuture<T>> removal) {
        boolean had = inode.forgetFileCapabilities();
        return Futures.attempt(removal).whenComplete((removed, failure) -> {
            if (had && failure != null) {
                inode.observeFileCapabilities();
            }
        });
    }

    /** Also those that it got through another mount since it was opened. */
    CompletableFuture<Void> clearPrivileges(OpenInode inode) {
        return metadata.rights(inode.number()).thenCompose(node -> {
            inode.observe(node);
            return inode.hasPrivileges() ? clear(inode) : CompletableFuture.completedFuture(null);
        });
    }

    private CompletableFuture<Void> clear(OpenInode inode) {
        SetAttributes change = SetAttributes.newBuilder()
                .setInode(inode.number())
                .setClearPrivileges(true)
                .build();
        return forgetting(inode, () -> queen.setAttributes(DAEMON, change))
                .thenAccept(node -> inode.observeMode(node.getAttributes().getMode()));
    }

    /**
     * The change counts as under way from here on, so that a release waits also while privileges are taken away.
     *
     * @param growth bytes that it may need
     */
    private CompletableFuture<ReplicaStatus> change(
            OpenHandle handle,
            long growth,
            boolean clearPrivileges,
            BiFunction<ReplicaAccess, ReplicaTarget, CompletableFuture<ReplicaStatus>> operation) {
        handle.changes().begin();
        return changeBegun(handle, growth, clearPrivileges, operation);
    }

    private CompletableFuture<ReplicaStatus> changeBegun(
            OpenHandle handle,
            long growth,
            boolean clearPrivileges,
            BiFunction<ReplicaAccess, ReplicaTarget, CompletableFuture<ReplicaStatus>> operation) {
        return changeAfter(handle, growth, () -> clearPrivileges(handle.inode(), clearPrivileges), operation);
    }

    private CompletableFuture<ReplicaStatus> changeAfter(
            OpenHandle handle,
            long growth,
            Supplier<CompletableFuture<Void>> first,
            BiFunction<ReplicaAccess, ReplicaTarget, CompletableFuture<ReplicaStatus>> operation) {
        long inode = handle.open().inode();
        long era = honeycombs.behind().era(inode);
        return Futures.attempt(first)
                .thenCompose(done -> relieved(handle, growth, honeycombs::at, operation))
                .whenComplete((status, failure) -> {
                    honeycombs.behind().observe(inode, era, status);
                    handle.changeEnds(status);
                });
    }

    private <T> CompletableFuture<T> at(
            OpenHandle handle, BiFunction<ReplicaAccess, ReplicaTarget, CompletableFuture<T>> operation) {
        return at(handle, honeycombs::at, operation);
    }

    private CompletableFuture<ReplicaStatus> relieved(
            OpenHandle handle,
            long growth,
            Function<Layout, ReplicaAccess> way,
            BiFunction<ReplicaAccess, ReplicaTarget, CompletableFuture<ReplicaStatus>> operation) {
        return full.relieve(handle.open().inode(), growth, () -> inTerm(handle, way, operation, queen.patience()));
    }

    /**
     * A change waits for the queen-bee, as all that asks her does, when she has not been heard for so long that this
     * desktop may not change anything: who is asked here is heard. So does one that was not made because the term was
     * over, though by now another one may have begun.
     */
    private CompletableFuture<ReplicaStatus> inTerm(
            OpenHandle handle,
            Function<Layout, ReplicaAccess> way,
            BiFunction<ReplicaAccess, ReplicaTarget, CompletableFuture<ReplicaStatus>> operation,
            Patience patience) {
        if (!queen.mayChange()) {
            return queen.openAgain(handle.open())
                    .thenCompose(heard -> queen.regainTerm(patience))
                    .thenCompose(done -> attempt(handle, way, operation, patience));
        }
        return attempt(handle, way, operation, patience);
    }

    private CompletableFuture<ReplicaStatus> attempt(
            OpenHandle handle,
            Function<Layout, ReplicaAccess> way,
            BiFunction<ReplicaAccess, ReplicaTarget, CompletableFuture<ReplicaStatus>> operation,
            Patience patience) {
        long term = queen.term();
        return at(handle, way, operation)
                .exceptionallyCompose(failure -> Failures.toPosix(failure).errno() == Errno.EAGAIN
                                && (!queen.mayChange() || queen.term() != term)
                        ? inTerm(handle, way, operation, patience)
                        : CompletableFuture.failedFuture(failure));
    }

    /**
     * Does something with the primary replica. If that is not where, or not what, the layout says, the queen-bee is
     * asked once for the present layout; ESTALE remains when that is no other.
     */
    private <T> CompletableFuture<T> at(
            OpenHandle handle,
            Function<Layout, ReplicaAccess> way,
            BiFunction<ReplicaAccess, ReplicaTarget, CompletableFuture<T>> operation) {
        return at(handle.layout(), way, operation)
                .exceptionallyCompose(failure -> Failures.toPosix(failure).errno() == Errno.ESTALE
                        ? atPresentLayout(handle, way, operation, failure)
                        : CompletableFuture.failedFuture(failure));
    }

    private <T> CompletableFuture<T> atPresentLayout(
            OpenHandle handle,
            Function<Layout, ReplicaAccess> way,
            BiFunction<ReplicaAccess, ReplicaTarget, CompletableFuture<T>> operation,
            Throwable failure) {
        return queen.openAgain(handle.open()).thenCompose(node -> {
            Layout present = node.getLayout();
            if (isSameReplica(present, handle.layout())) {
                return CompletableFuture.failedFuture(failure);
            }
            handle.moved(present);
            return at(present, way, operation);
        });
    }

    private static <T> CompletableFuture<T> at(
            Layout layout,
            Function<Layout, ReplicaAccess> way,
            BiFunction<ReplicaAccess, ReplicaTarget, CompletableFuture<T>> operation) {
        return Futures.attempt(() -> operation.apply(way.apply(layout), ReplicaTargets.of(layout)));
    }

    private static boolean isSameReplica(Layout one, Layout other) {
        return one.getHoneycomb().equals(other.getHoneycomb())
                && one.getGeneration() == other.getGeneration()
                && one.getEpoch() == other.getEpoch();
    }
}
