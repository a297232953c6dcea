package org.beefs.honeycomb.store;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.LocalReplicaAccess;
import org.beefs.common.replica.ReplicaPin;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.ProtocolBounds;
import org.beefs.common.time.Clock;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.Adoption;
import org.beefs.common.wire.InspectReplicas;
import org.beefs.common.wire.ReplicaLook;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.common.wire.Seal;
import org.beefs.common.wire.SetTimes;
import org.beefs.honeycomb.catalog.Catalog;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.state.Boot;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.store.content.Checksums;
import org.beefs.honeycomb.store.content.GroupSync;
import org.jspecify.annotations.Nullable;

/**
 * The replicas of one honeycomb. Thread-safe.
 *
 * <p>All but {@link #sync}, and what takes one, is done on the calling thread, and the future is done when it is
 * returned: for the mounts of the same process a hand-over to another thread would cost more than the disk's page cache
 * does. Syncs wait for the disk, and are done on an executor of their own.
 */
public final class ReplicaStore implements LocalReplicaAccess {
    private final OpenReplicas open;
    private final ReplicaOperations operations;
    private final ReadsAtHand readsAtHand;
    private final ReplicaCopying copying;
    private final Pins pins;
    private final Sealer sealer;
    private final Fence fence;
    private final Leftovers leftovers;
    private final Adopter adopter;
    private final GroupSync groupSync;
    private final Arrivals arrivals;
    private final Inspector inspector;
    private final SteadyLook steadyLook;
    private final Rot rot;
    private final CheckQueue checks = new CheckQueue();
    private final Doubts doubts;
    private final Verifier verifier;
    private final Executor syncs;
    private final Space space;
    private final DiskTrouble trouble;

    /**
     * @param boot of the honeycomb
     * @param gate whether replicas may be changed
     * @param clock the time of day on it is what files' times are taken from
     * @param timers for looking again whether a file is still being written, and for saying again what fails
     * @param syncs where content is brought to disk
     * @param fencing where files are closed to their writers; not shared, because that must not wait for anything
     * @param openFiles files to keep open at most while nobody uses them
     */
    public ReplicaStore(
            ReplicaFiles files,
            Catalog catalog,
            Space space,
            Boot boot,
            WriteGate gate,
            ByteBufAllocator buffers,
            Clock clock,
            Timers timers,
            Executor syncs,
            Executor fencing,
            int openFiles) {
        Observer observer = new Observer(space, boot);
        this.rot = new Rot(catalog);
        this.doubts = new Doubts(catalog.scrub(), rot, checks, buffers);
        this.open = new OpenReplicas(files, catalog, openFiles, doubts);
        this.verifier = new Verifier(files, catalog, space, open, rot, doubts, buffers);
        Unfinished unfinished = new Unfinished(files, space);
        Existence existence = new Existence(files, catalog, space, open, unfinished);
        this.operations = new ReplicaOperations(files, space, observer, buffers, open, existence, gate);
        this.readsAtHand = new ReadsAtHand(open, buffers);
        this.copying = new ReplicaCopying(open, existence, observer, operations);
        this.fence = new Fence(gate, open, timers, fencing);
        this.pins = new Pins(files, space, observer, open, existence, gate, fence, timers, syncs);
        this.leftovers = new Leftovers(files, space, timers, syncs);
        this.adopter = new Adopter(files, catalog, space, open, existence, observer, fence, leftovers);
        this.groupSync = new GroupSync(files);
        KeptArrivals kept = new KeptArrivals(clock);
        UnwrittenSeals unwritten = new UnwrittenSeals();
        this.arrivals = new Arrivals(
                files, unfinished, groupSync, catalog, space, open, existence, checks, kept, unwritten, buffers);
        this.sealer = new Sealer(files, groupSync, catalog, open, existence, checks, unwritten);
        this.inspector = new Inspector(files, catalog, open);
        this.steadyLook = new SteadyLook(files, open, existence, observer, clock);
        this.syncs = syncs;
        this.space = space;
        this.trouble = new DiskTrouble(timers);
        leftovers.begin();
    }

    @Override
    public CompletableFuture<Payload> read(ReplicaTarget target, long offset, int length) {
        return done(() -> {
            checkRead(offset, length);
            return operations.read(target, offset, length);
        });
    }

    /** As {@link #read}; but what is large, in memory, and not being written, is answered as a slice of the file. */
    public CompletableFuture<Payload> readForSending(ReplicaTarget target, long offset, int length) {
        return done(() -> {
            checkRead(offset, length);
            return operations.readForSending(target, offset, length);
        });
    }

    /**
     * As {@link #read}, for a thread that must not wait; fails by throwing.
     *
     * @return null when somebody has to wait for it, or may have to: then nothing was done
     */
    public @Nullable Payload readAtHand(ReplicaTarget target, long offset, int length) {
        try {
            checkRead(offset, length);
            ByteBuf content = readsAtHand.read(target, offset, length);
            return content == null ? null : new Payload.Bytes(content);
        } catch (RuntimeException | Error e) {
            noticed(e);
            throw e;
        }
    }

    /**
     * SHA-256 of each block of {@link Checksums#BLOCK} bytes from there, one behind the other.
     *
     * @param blocks 1 to {@link Checksums#MOST_BLOCKS}; fewer are answered at the end of the file
     */
    public CompletableFuture<byte[]> checksums(ReplicaTarget target, long offset, int blocks) {
        return done(() -> {
            check(blocks >= 1 && blocks <= Checksums.MOST_BLOCKS, "checksums are of 1 to 64 blocks");
            check(offset % Checksums.BLOCK == 0, "checksums are of whole blocks");
            checkRange(offset, (long) blocks * Checksums.BLOCK);
            return operations.checksums(target, offset, blocks);
        });
    }

    /** The state of replicas, for a check: what was found goes to the queen-bee, who judges it. */
    public CompletableFuture<List<ReplicaLook>> inspect(InspectReplicas asked) {
        return done(() -> inspector.inspect(asked));
    }

    /** The replicas whose content is not what it was. */
    public Rot rot() {
        return rot;
    }

    /** Compares replicas with their checksums. */
    public Verifier verifier() {
        return verifier;
    }

    /** Replicas that are to be compared before others. */
    public CheckQueue checks() {
        return checks;
    }

    /** Knows whether replicas are believed that were not compared since the start. */
    public Doubts doubts() {
        return doubts;
    }

    /** Takes in versions that come from other honeycombs. */
    public Arrivals arrivals() {
        return arrivals;
    }

    @Override
    public CompletableFuture<ReplicaStatus> write(ReplicaTarget target, long offset, boolean append, ByteBuf content) {
        return done(() -> {
            check(content.readableBytes() <= Frame.MAX_PAYLOAD, "more content than a request may carry");
            if (!append) {
                checkRange(offset, content.readableBytes());
            }
            return operations.write(target, offset, append, content);
        });
    }

    @Override
    public CompletableFuture<ReplicaStatus> truncate(ReplicaTarget target, long size) {
        return done(() -> {
            checkRange(size, 0);
            return operations.truncate(target, size);
        });
    }

    @Override
    public CompletableFuture<ReplicaStatus> allocate(ReplicaTarget target, int mode, long offset, long length) {
        return done(() -> {
            check(length > 0, "a length must be above 0");
            checkRange(offset, length);
            return operations.allocate(target, mode, offset, length);
        });
    }

    @Override
    public CompletableFuture<ReplicaStatus> setTimes(ReplicaTarget target, SetTimes times) {
        return done(() -> operations.setTimes(target, times));
    }

    @Override
    public CompletableFuture<ReplicaStatus> sync(ReplicaTarget target, boolean dataOnly) {
        return onDisk(() -> operations.sync(target, dataOnly));
    }

    /**
     * As {@link #sync}, for a replica that nobody changes; whatever changes it later moves the ctime that is answered.
     * Fails with EAGAIN when it was changed so lately.
     */
    public CompletableFuture<ReplicaStatus> steady(ReplicaTarget target, Duration quiet) {
        return onDisk(() -> steadyLook.at(target, quiet));
    }

    private CompletableFuture<ReplicaStatus> onDisk(Supplier<ReplicaStatus> work) {
        CompletableFuture<ReplicaStatus> synced = new CompletableFuture<>();
        try {
            syncs.execute(() -> complete(synced, work));
        } catch (RejectedExecutionException e) {
            synced.completeExceptionally(new PosixException(Errno.EAGAIN, "too many syncs wait for the disk"));
        }
        return synced;
    }

    @Override
    public CompletableFuture<List<ReplicaStatus>> statuses(List<ReplicaTarget> targets) {
        return done(() -> {
            check(targets.size() <= ProtocolBounds.REPLICA_TARGETS, "more replicas than a request may name");
            List<ReplicaStatus> statuses = new ArrayList<>(targets.size());
            targets.forEach(target -> statuses.add(operations.status(target)));
            return statuses;
        });
    }

    @Override
    public CompletableFuture<Long> seek(ReplicaTarget target, long offset, boolean hole) {
        return done(() -> operations.seek(target, offset, hole));
    }

    @Override
    public CompletableFuture<Copied> copy(ReplicaTarget source, long from, ReplicaTarget target, long to, long length) {
        return done(() -> {
            check(length >= 1 && length <= MAX_COPY, "a copy's length must be between 1 and 16 MiB");
            checkRange(from, length);
            checkRange(to, length);
            return copying.copy(source, from, target, to, length);
        });
    }

    @Override
    public CompletableFuture<Void> prepareToWrite(ReplicaTarget target) {
        return done(() -> operations.carriesVersion(target))
                .thenCompose(carries -> carries
                        ? onDisk(() -> operations.takeVersionOff(target))
                        : CompletableFuture.completedFuture(null))
                .thenApply(_ -> null);
    }

    @Override
    public Optional<ReplicaPin> pin(ReplicaTarget target, boolean write, boolean required) {
        try {
            return pins.pin(target, write, required);
        } catch (PosixException e) {
            noticed(e);
            throw e;
        }
    }

    @Override
    public boolean isPinnedToWrite(ReplicaTarget target) {
        return pins.isWritten(ReplicaId.of(target));
    }

    /** Keeps the lease for changes. False when it has run out: then only {@link #settle} brings it back. */
    public boolean extendLease(long until) {
        return fence.extend(until);
    }

    /** As {@link Fence#questions}. */
    public CompletableFuture<Set<ReplicaId>> questions() {
        return fence.questions();
    }

    /** As {@link Fence#settle}. */
    public CompletableFuture<Boolean> settle(long until, Set<ReplicaId> asked, Set<ReplicaId> lost) {
        return fence.settle(until, asked, lost);
    }

    /** Replica files that programs hold and must not write. */
    public int fenced() {
        return fence.count() + leftovers.count();
    }

    /** Takes account of the space that pinned replicas take by now. */
    public void recount() {
        pins.recount();
    }

    /**
     * The status of a replica, on the queen-bee's behalf; also when there is none. Fails with EBUSY while somebody may
     * write it in passthrough.
     */
    public ReplicaStatus examine(ReplicaName name) {
        return operations.examine(ReplicaId.of(name));
    }

    /** Makes the content of a replica another file's; answers what the other's replica looks like, if there is one. */
    public ReplicaStatus adopt(Adoption adoption) {
        return adopter.adopt(adoption);
    }

    /** Removes a replica, unless it is of a later epoch than named; 0 names any. That there is none is no failure. */
    public void drop(ReplicaName name) {
        forNobody(() -> operations.drop(ReplicaId.of(name), name.getEpoch()));
    }

    /** Brings to disk that these replicas were dropped. */
    public void syncDrops(List<ReplicaName> dropped) {
        forNobody(() -> operations.syncDrops(dropped.stream().map(ReplicaId::of).toList()));
    }

    /**
     * Brings committed content to disk, then writes the versions on the replicas. Leaves those alone that were changed
     * or removed since the commit; one that is missing fails.
     *
     * @param changed gets the inodes whose replicas were not sealed, as {@link Sealer#seal} says
     * @return the failure of one that could not be sealed; null when there was none
     */
    public @Nullable PosixException seal(List<Seal> seals, LongConsumer changed) {
        return sealer.seal(seals, changed);
    }

    /**
     * Whether all replicas could be opened, and brought to disk as far as known; otherwise the catalog may be wrong.
     */
    public boolean isInOrder() {
        return open.isInOrder() && !groupSync.hasFailed();
    }

    /**
     * Refuses further work with ENOTCONN, and gives up all pins.
     *
     * @return done when no work is under way any more; fails with EBUSY when somebody may still write a replica, so
     *     that how much space is used will not stay true
     */
    public CompletableFuture<Void> close() {
        boolean opened = fence.stop();
        boolean removed = leftovers.stop();
        CompletableFuture<Void> quiet = open.close();
        boolean written = pins.giveUp();
        return quiet.thenRun(() -> {
            if (written || !opened || !removed) {
                throw new PosixException(Errno.EBUSY, "programs still have replicas open for writing");
            }
        });
    }

    private static void checkRead(long offset, int length) {
        check(length >= 1 && length <= Frame.MAX_PAYLOAD, "a read's length must be between 1 and 1 MiB");
        checkRange(offset, length);
    }

    private static void checkRange(long offset, long length) {
        check(offset >= 0, "a negative offset");
        if (offset > Long.MAX_VALUE - length) {
            throw new PosixException(Errno.EFBIG, "beyond the largest possible file");
        }
    }

    private static void check(boolean valid, String otherwise) {
        if (!valid) {
            throw new PosixException(Errno.EINVAL, otherwise);
        }
    }

    private <T> CompletableFuture<T> done(Supplier<T> work) {
        CompletableFuture<T> future = new CompletableFuture<>();
        complete(future, work);
        return future;
    }

    private <T> void complete(CompletableFuture<T> future, Supplier<T> work) {
        try {
            future.complete(work.get());
        } catch (RuntimeException
                | Error e) { // also when there is no memory for a buffer: somebody waits for the future
            noticed(e);
            future.completeExceptionally(e);
        }
    }

    /** Does what no program waits for. If the disk refuses it, nothing new is to come here all the same. */
    private void forNobody(Runnable work) {
        try {
            work.run();
        } catch (PosixException e) {
            space.noticed(e);
            throw e;
        }
    }

    private void noticed(Throwable failure) {
        trouble.noticed(failure);
        space.noticed(failure);
    }
}
