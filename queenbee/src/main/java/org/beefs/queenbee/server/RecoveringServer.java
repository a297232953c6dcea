package org.beefs.queenbee.server;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.beefs.common.file.Draft;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.ProductionOnly;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.journal.FatalHandler;
import org.beefs.queenbee.journal.RocksStateStore;
import org.beefs.queenbee.memory.HeapUse;
import org.beefs.queenbee.memory.MemoryRoom;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.recovery.HiveRecovery;
import org.beefs.queenbee.recovery.MemoryFullException;
import org.beefs.queenbee.recovery.RecoveryReport;
import org.beefs.queenbee.recovery.RollCall;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queen-bee whose state is rebuilt from catalogs before she serves it. If that is wanted, she serves meanwhile what
 * the honeycombs know that can be reached, to be read only, from a state that is thrown away: whenever another one
 * answers that begins anew, and when all have answered the state is rebuilt that stays. Thread-safe.
 */
@ProductionOnly
public final class RecoveringServer implements ListeningQueenBee {
    /** How long honeycombs are waited for that may just be starting. */
    private static final Duration HONEYCOMB_START = Duration.ofSeconds(30);

    /** How long they are waited for if what the others know can be served meanwhile. */
    private static final Duration SHORT_HONEYCOMB_START = Duration.ofSeconds(5);

    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(RecoveringServer.class);

    private final ServerWorld world;
    private final RecoveryPlan plan;
    private final InetSocketAddress address;
    private final ByteString hive;
    private final MemoryRoom memory;
    private final FatalHandler fatal;
    private final CountDownLatch closing = new CountDownLatch(1);

    /** Written under this object's lock, and read without it: nobody who asks waits for a rebuilding. */
    private volatile @Nullable QueenBeeServer serving;

    // Guarded by this.
    private List<InetSocketAddress> missing;
    private Duration pause = LOOK;

    private RecoveringServer(
            ServerWorld world,
            RecoveryPlan plan,
            MemoryRoom memory,
            QueenBeeServer interim,
            Catalogs known,
            FatalHandler fatal) {
        this.world = world;
        this.memory = memory;
        this.fatal = fatal;
        this.plan = plan;
        this.address = interim.address();
        this.hive = interim.hive();
        this.serving = interim;
        this.missing = known.missing();
    }

    /**
     * Rebuilds the state in an empty folder from the records of honeycombs, and serves it. Rebuilds nothing when that
     * was done before, and she was not started without recovery since: a supervisor may start it with the same words
     * again. Fails with one line for people.
     */
    public static ListeningQueenBee open(ServerWorld world, RecoveryPlan plan) throws IOException {
        return open(world, plan, HeapUse.room(), QueenBeeServer::halt);
    }

    /**
     * As above.
     *
     * @param memory of this process
     * @param fatal ends the process after a defect, or when its memory is full
     */
    static ListeningQueenBee open(ServerWorld world, RecoveryPlan plan, MemoryRoom memory, FatalHandler fatal)
            throws IOException {
        InetSocketAddress address = world.config().listen();
        if (RocksStateStore.isRecovered(world.state())) {
            LOG.info("recovery: {} was recovered before; to recover again, move it away", world.state());
            return openRecovered(world, address);
        }
        RocksStateStore.beginRecovery(world.state());
        Files.deleteIfExists(report(world)); // of an earlier recovery, for whose result this one's would be taken
        Duration patience = plan.serveReadOnly() ? SHORT_HONEYCOMB_START : HONEYCOMB_START;
        try (Catalogs catalogs = search(world, plan.honeycombs()).all(patience).join()) {
            if (plan.serveReadOnly()
                    && !catalogs.areAll()
                    && !catalogs.reached().isEmpty()) {
                QueenBeeServer interim = openInterim(world, plan, memory, catalogs, address);
                return new RecoveringServer(world, plan, memory, interim, catalogs, fatal).watching();
            }
            rebuild(world, plan, memory, catalogs);
        }
        return openRecovered(world, address);
    }

    /**
     * Called by a start without recovery, when it serves. A state that changes from then on may be copied and put back
     * one day, and must not pass for recovered then.
     */
    static void forget(ServerWorld world) throws IOException {
        if (RocksStateStore.isRecovered(world.state())) {
            RocksStateStore.discardInterim(interimState(world));
            RocksStateStore.forgetRecovery(world.state());
        }
    }

    /**
     * Opens the rebuilt state. Discards the interim one, which is still there when the power has failed at the end of
     * the recovery.
     */
    private static QueenBeeServer openRecovered(ServerWorld world, InetSocketAddress address) throws IOException {
        RocksStateStore.discardInterim(interimState(world));
        return QueenBeeServer.open(world, address);
    }

    private static void rebuild(ServerWorld world, RecoveryPlan plan, MemoryRoom memory, Catalogs catalogs)
            throws IOException {
        catalogs.requireAll();
        long interim = RocksStateStore.beginRecovery(world.state());
        try (RocksStateStore store = RocksStateStore.openForRecovery(world.state())) {
            RecoveryReport report = run(store, world, plan, memory, catalogs, interim);
            report.lines().forEach(line -> LOG.info("recovery: {}", line));
            String text = report.lines().stream().collect(Collectors.joining("\n", "", "\n"));
            Draft.replace(report(world), text.getBytes(StandardCharsets.UTF_8));
            store.sync(); // from here on it counts as recovered, and no other start would make the report
        }
    }

    private static RecoveryReport run(
            RocksStateStore store,
            ServerWorld world,
            RecoveryPlan plan,
            MemoryRoom memory,
            Catalogs catalogs,
            long last)
            throws IOException {
        return HiveRecovery.run(store, world.clock(), memory, catalogs.reached(), last, rollCall(plan, catalogs));
    }

    private static RollCall rollCall(RecoveryPlan plan, Catalogs catalogs) {
        return new RollCall(plan.without(), catalogs.missing().size());
    }

    /** What the last recovery has found, for people. */
    private static Path report(ServerWorld world) {
        return world.folder().resolve("recovery.txt");
    }

    private static Path interimState(ServerWorld world) {
        return world.state().resolveSibling(world.state().getFileName() + ".read-only");
    }

    private static QueenBeeServer openInterim(
            ServerWorld world, RecoveryPlan plan, MemoryRoom memory, Catalogs catalogs, InetSocketAddress address)
            throws IOException {
        long last = RocksStateStore.beginRecovery(world.state());
        RecoveryReport report;
        try (RocksStateStore store = RocksStateStore.openInterim(interimState(world))) {
            report = run(store, world, plan, memory, catalogs, last);
            store.sync();
        }
        RocksStateStore.setInterimIncarnation(world.state(), report.incarnation() + 1);
        LOG.info(
                "recovery: {} inodes are known so far and served read-only; all is rebuilt when {} can be reached",
                report.inodes(),
                catalogs.missingNames());
        return QueenBeeServer.open(
                world,
                interimState(world),
                address,
                "its recovery has not ended: it waits for the honeycombs at " + catalogs.missingNames());
    }

    private RecoveringServer watching() {
        Thread.ofPlatform().name("beefs-recovery").daemon().start(this::watch);
        return this;
    }

    /** Looks for missing honeycombs until all is rebuilt. */
    private void watch() {
        try {
            while (!missing().isEmpty() && !closing.await(pause().toMillis(), TimeUnit.MILLISECONDS)) {
                goOnIfSomeoneAnswers();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (MemoryFullException e) {
            end(String.valueOf(e.getMessage()), e);
        } catch (RuntimeException | Error e) {
            end("a defect of the recovery", e);
        }
    }

    /**
     * Ends the process after a defect, or when its memory is full, which another try would not change: without the
     * thread that watches, it would serve nothing, or an interim state, for ever.
     */
    private void end(String why, Throwable cause) {
        boolean isClosing = closing.getCount() == 0; // its network goes meanwhile
        if (!isClosing) {
            fatal.fatal(why, cause);
        }
    }

    private void goOnIfSomeoneAnswers() throws MemoryFullException {
        if (!search(world, missing()).any().join()) {
            return;
        }
        try (Catalogs known =
                search(world, plan.honeycombs()).all(SHORT_HONEYCOMB_START).join()) {
            goOn(known);
        }
    }

    private static Catalogs.Search search(ServerWorld world, List<InetSocketAddress> honeycombs) {
        return new Catalogs.Search(world.network(), world.timers(), world.clock(), honeycombs);
    }

    private synchronized List<InetSocketAddress> missing() {
        return missing;
    }

    private synchronized Duration pause() {
        return pause;
    }

    /** What may stay wrong until somebody does something about it is looked for while the interim state is served. */
    private synchronized void goOn(Catalogs known) throws MemoryFullException {
        if (closing.getCount() == 0) {
            return;
        }
        try {
            boolean rebuilt = RocksStateStore.isRecovered(world.state());
            if (!rebuilt) {
                HiveRecovery.check(world.clock(), known.reached(), rollCall(plan, known));
            }
            closeServing();
            missing = plan.honeycombs(); // until another state is served
            serving = rebuilt || known.areAll()
                    ? openRebuilt(known, rebuilt)
                    : openInterim(world, plan, memory, known, address);
            missing = known.missing();
            pause = LOOK;
        } catch (MemoryFullException e) {
            throw e;
        } catch (IOException e) {
            LOG.error("recovery: {}; it is tried again", e.getMessage());
            pause = PAUSE_AFTER_FAILURE;
        }
    }

    private QueenBeeServer openRebuilt(Catalogs all, boolean before) throws IOException {
        if (!before) {
            rebuild(world, plan, memory, all);
        }
        QueenBeeServer opened = openRecovered(world, address);
        LOG.info("recovery: all honeycombs have answered, and the hive can be changed again");
        return opened;
    }

    private synchronized void closeServing() {
        QueenBeeServer closed = serving;
        serving = null;
        if (closed != null) {
            closed.close();
        }
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public ByteString hive() {
        return hive;
    }

    /** Fails while another state is opened; does not wait for a rebuilding that is under way. */
    @Override
    public <T> CompletableFuture<T> ask(Function<QueenState, T> question) {
        QueenBeeServer present = serving;
        return present == null ? notNow() : present.ask(question);
    }

    /** Fails while another state is opened; does not wait for a rebuilding that is under way. */
    @Override
    public CompletableFuture<QueenReply> request(QueenRequest request) {
        QueenBeeServer present = serving;
        return present == null ? notNow() : present.request(request);
    }

    private static <T> CompletableFuture<T> notNow() {
        return CompletableFuture.failedFuture(new PosixException(
                Errno.EAGAIN, "the queen-bee's state is being rebuilt from the records of honeycombs"));
    }

    /** Waits for a rebuilding that is under way. */
    @Override
    public void close() {
        closing.countDown();
        closeServing();
    }
}
