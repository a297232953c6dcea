package org.beefs.honeycomb;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.beefs.common.config.Durations;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.LocalHoneycomb;
import org.beefs.common.replica.LocalReplicaAccess;
import org.beefs.common.rpc.RpcEnvironment;
import org.beefs.common.time.ProductionOnly;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.HoneycombSpace;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ScrubReport;
import org.beefs.common.wire.UserActivity;
import org.beefs.honeycomb.catalog.Catalog;
import org.beefs.honeycomb.catalog.RocksCatalog;
import org.beefs.honeycomb.disk.DiskSpace;
import org.beefs.honeycomb.disk.LinuxReplicaFiles;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.maintenance.Maintenance;
import org.beefs.honeycomb.pace.Pace;
import org.beefs.honeycomb.pace.User;
import org.beefs.honeycomb.records.RecordKeeper;
import org.beefs.honeycomb.replicator.Replicator;
import org.beefs.honeycomb.scrub.Scrubber;
import org.beefs.honeycomb.server.DataServer;
import org.beefs.honeycomb.server.Traffic;
import org.beefs.honeycomb.start.CopiedFolder;
import org.beefs.honeycomb.start.FoundReplicas;
import org.beefs.honeycomb.state.Identity;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.store.ReplicaStore;
import org.beefs.honeycomb.store.Space;
import org.beefs.honeycomb.store.WriteGate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running honeycomb: one folder of a desktop, served to the hive. The session with the queen-bee, of which it knows
 * nothing, uses it as a {@link LocalHoneycomb}, and mounts of this process its {@link #replicas()}. Thread-safe.
 */
public final class Honeycomb implements LocalHoneycomb, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Honeycomb.class);

    /** How long a stop waits for work that is under way. */
    private static final Duration STOP = Duration.ofSeconds(10);

    private final ReplicaFiles files;
    private final Catalog catalog;
    private final FolderInUse folder;
    private final boolean complete;
    private final Space space;
    private final ReplicaStore store;
    private final User user;
    private final Pace pace;
    private final Pace scrubPace;
    private final Scrubber scrubber;
    private final Replicator replicator;
    private final Maintenance maintenance;
    private final Executor syncs;
    private final Executor fencing;
    private final AtomicBoolean recounting = new AtomicBoolean();
    private final DataServer server;
    private final ToldAddress told;
    private final OfferMaker offers;

    private Honeycomb(
            HoneycombConfig config,
            Hello hello,
            HoneycombWorld world,
            ReplicaFiles files,
            Catalog catalog,
            Identity begun)
            throws IOException {
        this.files = files;
        this.catalog = catalog;
        String lock = world.machineStart() + ' ' + files.lock();
        boolean machineIsNew = !begun.hasRunIn(world.machineStart());
        FoundReplicas found = FoundReplicas.in(files, catalog, begun.boot(), machineIsNew);
        Identity identity = machineIsNew ? found.settle(begun, world.machineStart()) : begun;
        if (machineIsNew) {
            files.writeIdentity(identity.encode());
        }
        this.folder = new FolderInUse(files, identity, world.clock(), world.syncs());
        this.complete = found.complete();
        this.offers = new OfferMaker(folder, lock, catalog, world.wake());
        this.space = measure(config, world, files, found.used());
        this.store = new ReplicaStore(
                files,
                catalog,
                space,
                identity.present(),
                new WriteGate(world.clock(), found.closed()),
                world.buffers(),
                world.clock(),
                world.timers(),
                world.syncs(),
                world.fencing(),
                config.openFiles());
        this.user = world.user();
        this.pace = new Pace(world.clock(), world.timers(), world.pressure(), world.user(), config.copyRate());
        this.scrubPace = new Pace(world.clock(), world.timers(), world.pressure(), world.user(), config.scrubRate());
        this.scrubber = new Scrubber(
                store,
                catalog,
                world.clock(),
                world.timers(),
                world.syncs(),
                scrubPace,
                config.scrubPeriod(),
                found.doubtful());
        this.replicator = new Replicator(
                store.arrivals(),
                hello,
                new RpcEnvironment(world.network(), world.timers(), world.clock(), world.random()),
                world.syncs(),
                pace);
        this.syncs = world.syncs();
        this.fencing = world.fencing();
        this.maintenance = new Maintenance(store, catalog, replicator, world.syncs(), this::pause);
        scrubber.start(); // what is in doubt is so before anybody can ask for it
        this.server = listen(config, hello, world, found.inOrder());
        this.told = new ToldAddress(config.advertise(), server.address());
    }

    /**
     * Begins to listen. If that fails, background work ends, and the folder is marked as in order if it was so at the
     * start: nobody has written anything.
     */
    private DataServer listen(HoneycombConfig config, Hello hello, HoneycombWorld world, boolean inOrder)
            throws IOException {
        boolean listening = false;
        try {
            DataServer begun = new DataServer(
                    store,
                    new RecordKeeper(folder.identity().uuidBytes(), catalog.records()),
                    pace,
                    world.network(),
                    config.listen(),
                    world.clock(),
                    world.timers(),
                    hello.toBuilder()
                            .setHoneycomb(folder.identity().uuidBytes())
                            .build(),
                    world.io());
            listening = true;
            return begun;
        } finally {
            if (!listening) {
                scrubber.close();
                if (inOrder && complete) {
                    markInOrder();
                }
            }
        }
    }

    /**
     * Starts on a folder of the desktop's file system.
     *
     * @param hello how the server greets
     * @throws IOException with a sentence for people, when the folder or the address cannot be used
     */
    @ProductionOnly
    public static Honeycomb open(HoneycombConfig config, Hello hello, HoneycombWorld world) throws IOException {
        LinuxReplicaFiles files = LinuxReplicaFiles.open(config.folder());
        boolean started = false;
        try {
            Path folder = config.folder().resolve("catalog");
            Honeycomb honeycomb = start(config, hello, world, files, RocksCatalog.open(folder));
            started = true;
            return honeycomb;
        } finally {
            if (started) {
                files.keepSpareRoom();
            } else {
                files.close();
            }
        }
    }

    /** Starts on any disk. If that fails the catalog is closed, and the disk is the caller's to close. */
    public static Honeycomb start(
            HoneycombConfig config, Hello hello, HoneycombWorld world, ReplicaFiles files, Catalog catalog)
            throws IOException {
        boolean started = false;
        try {
            byte[] known = files.readIdentity();
            Identity last = known == null ? Identity.create(world.random()) : Identity.decode(known);
            CopiedFolder.refuse(files, catalog);
            Identity identity =
                    last.nextBoot(world.clock().now(), catalog.records().state().getComplete());
            files.writeIdentity(identity.encode());
            Honeycomb honeycomb = new Honeycomb(config, hello, world, files, catalog, identity);
            started = true;
            return honeycomb;
        } catch (PosixException e) {
            throw new IOException("the honeycomb cannot start: " + e.getMessage(), e);
        } finally {
            if (!started) {
                catalog.close();
            }
        }
    }

    private static Space measure(HoneycombConfig config, HoneycombWorld world, ReplicaFiles files, long used) {
        DiskSpace disk = files.space();
        return new Space(files, world.clock(), config.capacityBytes(), config.reserve(disk), used);
    }

    /** The folder's UUID, 16 bytes. */
    public ByteString uuid() {
        return folder.identity().uuidBytes();
    }

    /** How often a daemon has started on the folder. */
    public long boot() {
        return folder.identity().boot();
    }

    /** Where other desktops are told to reach it, as host:port. */
    public String address() {
        return told.last();
    }

    /** The replicas, for the mounts of this process. */
    public LocalReplicaAccess replicas() {
        return store;
    }

    /**
     * The space as known now. Space that programs have taken in passthrough is counted on another thread, because that
     * may wait for the disk, and shows the next time.
     */
    @Override
    public HoneycombSpace space() {
        if (recounting.compareAndSet(false, true)) {
            try {
                syncs.execute(this::recount);
            } catch (RejectedExecutionException busy) {
                recounting.set(false);
            }
        }
        return space.report();
    }

    private void recount() {
        try {
            store.recount();
        } finally {
            recounting.set(false);
        }
    }

    @Override
    public long available() {
        return space.available();
    }

    /** Neither copies from others nor checks replicas for so long; for no time to go on. */
    public void pause(Duration time) {
        LOG.info("nothing is done in the background for {}", Durations.approximate(time));
        pace.pause(time);
        scrubPace.pause(time);
    }

    @Override
    public Duration paused() {
        return pace.paused();
    }

    @Override
    public long marked() {
        return folder.lastMark();
    }

    @Override
    public UserActivity userActivity() {
        return user.activity();
    }

    /** Requests of other desktops. */
    public Traffic traffic() {
        return server.traffic();
    }

    @Override
    public long servedBytes() {
        return traffic().received() + traffic().sent();
    }

    /** Bytes that were copied here from other honeycombs since the start. */
    public long copied() {
        return replicator.copied();
    }

    /** Compares replicas with their checksums. */
    public Scrubber scrubber() {
        return scrubber;
    }

    @Override
    public ScrubReport scrub() {
        return scrubber.report();
    }

    @Override
    public CompletableFuture<List<ReplicaName>> inventory(@Nullable ReplicaName after, int limit) {
        return maintenance.inventory(after, limit);
    }

    @Override
    public CompletableFuture<DesktopReply> serve(DesktopRequest request) {
        return maintenance.handle(request);
    }

    /** Replica files that programs hold and must not write. */
    public int fenced() {
        return store.fenced();
    }

    @Override
    public CompletableFuture<HoneycombOffer> offer(@Nullable InetAddress from) {
        return store.questions().thenApply(questions -> offers.make(questions, told.on(from), space()));
    }

    @Override
    public boolean extendLease(long until) {
        return store.extendLease(until);
    }

    @Override
    public CompletableFuture<Boolean> registered(long until, HoneycombOffer offer, List<ReplicaName> lost) {
        return store.settle(until, ids(offer.getWrittenList()), ids(lost));
    }

    private static Set<ReplicaId> ids(List<ReplicaName> names) {
        return names.stream().map(ReplicaId::of).collect(Collectors.toSet());
    }

    /**
     * Stops serving, and leaves the folder in order after what is under way. Done when the folder is not used any more.
     */
    public CompletableFuture<Void> stop() {
        CompletableFuture<Void> served = server.stop();
        replicator.close();
        scrubber.close();
        // Not behind what waits for the disk, which fails at once when the store is closed.
        return served.thenComposeAsync(_ -> store.close(), fencing)
                .handle((_, busy) -> busy)
                .thenAcceptAsync(this::closeAll, this::whereSyncsAreDone);
    }

    private void closeAll(@Nullable Throwable busy) {
        try {
            server.close();
        } finally {
            closeFolder(busy);
        }
    }

    /** Stops as {@link #stop}, and waits a while for that. */
    @Override
    public void close() {
        close(STOP);
    }

    /**
     * Closes. Work that is still on the disk when patience is over keeps the folder in use until it ends, or the
     * process does.
     */
    void close(Duration patience) {
        try {
            stop().get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            LOG.warn("work is still under way after {} s, and the folder in use until it ends", patience.toSeconds());
        } catch (ExecutionException e) {
            LOG.warn("the folder could not be closed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Runs work on the threads for syncs, so that patience has an end also with a slow disk. When these threads have
     * ended already, the calling thread does it.
     */
    private void whereSyncsAreDone(Runnable work) {
        try {
            syncs.execute(work);
        } catch (RejectedExecutionException ended) {
            work.run();
        }
    }

    /**
     * Nothing of this process uses the catalog's database or the folder's descriptors any more.
     *
     * @param busy why replicas may change from now on; null when they do not
     */
    private void closeFolder(@Nullable Throwable busy) {
        folder.close();
        try (files;
                catalog) {
            if (busy != null) {
                LOG.warn(
                        "the next start will scan the folder: {}",
                        Failures.toPosix(busy).getMessage());
            } else if (complete && store.isInOrder()) {
                markInOrder();
            } else {
                LOG.warn("some replicas could not be opened or written; the next start will scan the folder");
            }
        } catch (PosixException e) {
            LOG.warn("the catalog is not in order; the next start will scan the folder: {}", e.getMessage());
        }
    }

    /**
     * Marks the folder as in order. All that the mark vouches for is on disk before it is: the next start does not look
     * at the replicas, even if the power was lost in between.
     */
    private void markInOrder() {
        files.syncAll();
        catalog.markComplete(folder.identity().boot(), space.usedByReplicas());
    }
}
