package org.beefs.simulator.hive;

import static java.util.Map.entry;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.beefs.common.config.Addresses;
import org.beefs.common.config.Altered;
import org.beefs.common.config.ByteSize;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.rpc.Service;
import org.beefs.common.time.Clock;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.DeclareLost;
import org.beefs.common.wire.Drain;
import org.beefs.common.wire.Forget;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.HiveReport;
import org.beefs.common.wire.HiveStatus;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Presence;
import org.beefs.queenbee.journal.StateStore;
import org.beefs.queenbee.memory.MemoryRoom;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.recovery.HiveRecovery;
import org.beefs.queenbee.server.QueenBee;
import org.beefs.queenbee.server.QueenBeeEnvironment;
import org.beefs.simulator.model.Appeared;
import org.beefs.simulator.model.Sight;
import org.beefs.simulator.world.SimHost;
import org.beefs.simulator.world.SimProcess;
import org.beefs.simulator.world.World;
import org.jspecify.annotations.Nullable;

/** The queen-bee's host: its disk, and the process that runs there, one life after the other. */
public final class SimQueenBee {
    static final String NAME = "queen-bee";

    private static final int PORT = 7411;

    /** For how long a desktop believes in its leases without hearing anything. */
    static final int CACHE_MILLIS = 4000;

    /** Some files are open for longer. */
    private static final Duration CHECKPOINT_DISTANCE = Duration.ofSeconds(5);

    private static final Duration TIME_TO_COHERENCE = Duration.ofMillis(200);

    private final World world;
    private final Storage storage;
    private final Bounds bounds;
    private final SimHost host;
    private final SimStateDisk disk;
    private final Sabotage sabotage;
    private final RandomGenerator random;
    private SimProcess process;
    private @Nullable QueenBee queenBee;
    private boolean passComes;
    private int powerLosses;

    /** Whether she may count content that has changed or gone by what she has lost: desktops have yet to tell her. */
    private boolean forgetful;

    private boolean lostState;

    SimQueenBee(World world, Storage storage, Bounds bounds, Sabotage sabotage) {
        this.world = world;
        this.storage = storage;
        this.bounds = bounds;
        this.host = world.host(NAME);
        this.sabotage = sabotage;
        this.disk = new SimStateDisk(sabotage);
        this.random = world.random();
        this.process = world.process(NAME, host);
    }

    InetSocketAddress address() {
        return new InetSocketAddress(host.address(), PORT);
    }

    void start() {
        process = world.process(NAME, host);
        passComes = false;
        Timers timers = process.timers();
        QueenBeeEnvironment environment = new QueenBeeEnvironment(
                sabotage == Sabotage.SESSIONS_BY_TIME_OF_DAY ? host.clockCountedBy(host::timeOfDay) : host.clock(),
                timers,
                random,
                "start " + powerLosses,
                new MemoryRoom(Long.MAX_VALUE, () -> 0),
                process.threadPool(),
                (why, cause) -> {
                    throw new IllegalStateException("the queen-bee ends itself: " + why, cause);
                });
        Executor thread = process.thread();
        QueenBeeConfig config = config();
        Hello hello = Hello.newBuilder()
                .setProtocol(RpcConnection.PROTOCOL)
                .setProgram("simulator")
                .setRole("queenbee")
                .build();
        try {
            QueenBee started = new QueenBee(config, disk.open(process), environment, () -> wake(thread), "");
            queenBee = started;
            world.network()
                    .of(process)
                    .listen(address(), link -> new RpcConnection(link, timers, hello, started::serve));
        } catch (IOException e) {
            throw new IllegalStateException("the queen-bee cannot start", e);
        }
    }

    /** Secondaries follow soon, so that much happens while they are made. */
    private QueenBeeConfig config() {
        QueenBeeConfig usual = QueenBeeConfig.of(Addresses.format(address()), Path.of("queenbee"));
        boolean waits = sabotage != Sabotage.NO_LEASE_WAIT;
        return Altered.copy(
                usual,
                Map.ofEntries(
                        entry("cacheTime", waits ? usual.cacheTime() : Duration.ofMillis(50)),
                        entry("recallTimeout", waits ? usual.recallTimeout() : Duration.ofMillis(100)),
                        entry("placementRoom", new ByteSize(storage.room())),
                        entry("passLimit", bounds.passLimit()),
                        entry("maxLeases", bounds.maxLeases()),
                        entry("errandBatch", bounds.errandBatch()),
                        entry("replicas", storage.replicas()),
                        entry("timeToCoherence", TIME_TO_COHERENCE),
                        entry("graceTime", storage.repair().graceTime()),
                        entry("checkpointDistance", CHECKPOINT_DISTANCE),
                        entry("copyBudget", storage.repair().copyBudget()),
                        entry("lowWater", storage.lowWater()),
                        entry("highWater", storage.highWater()),
                        entry("replicateOnRead", storage.replicateOnRead())));
    }

    /** Any number of wake-ups before a pass make one pass. */
    private void wake(Executor thread) {
        if (!passComes) {
            passComes = true;
            thread.execute(() -> pass(thread));
        }
    }

    private void pass(Executor thread) {
        passComes = false;
        QueenBee running = running();
        running.runPass();
        if (running.hasWork()) {
            wake(thread);
        }
    }

    private QueenBee running() {
        if (queenBee == null) {
            throw new IllegalStateException("the queen-bee does not run");
        }
        return queenBee;
    }

    /** The process dies as by {@code kill -9}; what it has written stays. */
    public void kill() {
        process.kill();
        queenBee = null;
    }

    /** The host loses its power: what was not synced is gone, from some change on. */
    public void losePower() {
        kill();
        disk.losePower(random);
        powerLosses++;
        forgetful = true;
        lostState = true;
    }

    /** Whether she has ever lost some of her state. */
    boolean hasLostState() {
        return lostState;
    }

    /** All desktops have told her what they hold, and she has done what is to be done about it. */
    public void hasHeardAll() {
        forgetful = false;
    }

    /** Her disk dies, and she starts on an empty one with what is found in catalogs. */
    void recover(List<CatalogPages> catalogs) {
        kill();
        disk.erase();
        lostState = true;
        try {
            HiveRecovery.run(disk.open(), clock(), catalogs, 0);
        } catch (IOException e) {
            throw new IllegalStateException("the hive cannot be recovered", e);
        }
        start();
    }

    public void ensureRunning() {
        if (!process.alive() || queenBee == null) {
            start();
        }
    }

    public SimHost host() {
        return host;
    }

    public SimProcess process() {
        return process;
    }

    /** What is written on her disk. */
    StateStore written() {
        return disk.open();
    }

    Clock clock() {
        return host.clock();
    }

    /** Inodes that are gone, and that some catalog does not know to be gone. */
    int tombstones() {
        return running().state().records().tombstones();
    }

    /** What sessions have open, as far as the queen-bee knows: nothing, or a sentence about each. */
    List<String> opens() {
        List<String> opens = new ArrayList<>();
        running()
                .state()
                .sessions()
                .all()
                .forEach(session -> session.handles()
                        .forEach((handle, open) -> opens.add(
                                "%s has handle %d of inode %d".formatted(session.desktop(), handle, open.inode()))));
        return opens;
    }

    /** Whether she runs, and knows of a session. */
    public boolean hasSession(long number) {
        return queenBee != null && queenBee.state().sessions().find(number) != null;
    }

    /** The desktop on which she says that an inode's primary is; null while she does not run, and if it has none. */
    public @Nullable String primaryOf(long inode) {
        if (queenBee == null) {
            return null;
        }
        QueenState state = queenBee.state();
        Inode file = state.namespace().find(inode);
        return file == null || !file.isRegular() || file.honeycomb() == 0
                ? null
                : state.honeycombs().of(file).desktop();
    }

    /** Whether she runs, and says that nobody writes a file and that its primary's honeycomb has sealed it. */
    public boolean isSealed(long inode) {
        Inode file = queenBee == null ? null : queenBee.state().namespace().find(inode);
        return file != null && file.isRegular() && !file.dirty() && !file.unsealed();
    }

    /** Each directory before what is in it; nothing while she does not run. */
    public List<Appeared> appeared() {
        List<Appeared> appeared = new ArrayList<>();
        if (queenBee != null) {
            queenBee.state().namespace().forEach(inode -> {
                if (inode.isDirectory()) {
                    inode.directory().visit(0, entry -> {
                        if (Appeared.isNameOfOne(entry.name())) {
                            appeared.add(new Appeared(inode.number(), entry.name(), sight(entry.inode())));
                        }
                        return true;
                    });
                }
            });
        }
        appeared.sort(
                Comparator.comparing(one -> !FileMode.isDirectory(one.sight().mode())));
        return appeared;
    }

    private static Sight sight(Inode inode) {
        return new Sight(
                inode.number(), inode.mode(), inode.links(), inode.uid(), inode.gid(), ByteString.EMPTY, Map.of());
    }

    /** Locks that somebody has or waits for. */
    int locks() {
        return running().state().locks().size() + running().state().locks().waiting();
    }

    /** Whether a number is known to be that of a file which was made, and perhaps removed. */
    public boolean hasIssued(long inode) {
        QueenState state = running().state();
        return state.numbering().hasIssued(inode, state.namespace().highest());
    }

    /** Inodes whose newest version she believes unsealed. */
    List<Long> unsealed() {
        List<Long> unsealed = new ArrayList<>();
        running().state().namespace().forEach(inode -> {
            if (inode.unsealed()) {
                unsealed.add(inode.number());
            }
        });
        return unsealed;
    }

    /** Files that have other replicas than they should have. */
    List<Long> unreplicated() {
        QueenState state = running().state();
        List<Long> unreplicated = new ArrayList<>();
        state.namespace().forEach(inode -> {
            if (inode.isRegular()
                    && inode.version() != 0
                    && state.replication().upkeep().lacks(inode)) {
                unreplicated.add(inode.number());
            }
        });
        return unreplicated;
    }

    /** Replicas that are where files were read whole, as far as she knows now. */
    public ExtraReplicas extraReplicas() {
        return ExtraReplicas.of(running().state());
    }

    /** Whether each desktop's honeycomb is there, as far as she knows, by the desktop's name. */
    public Map<String, Presence> presences() {
        Map<String, Presence> presences = new TreeMap<>();
        running()
                .state()
                .honeycombs()
                .all()
                .forEach(honeycomb -> presences.put(honeycomb.desktop(), honeycomb.presence()));
        return presences;
    }

    /** How many current replicas each file has on desktops that are awake, as far as she knows, by inode number. */
    public Map<Long, Integer> awakeReplicas() {
        QueenState state = running().state();
        Map<Long, Integer> replicas = new TreeMap<>();
        state.namespace().forEach(inode -> {
            if (inode.isRegular() && inode.version() != 0) {
                IntStream places = IntStream.concat(
                        IntStream.of(inode.honeycomb()), inode.secondaries().current());
                replicas.put(inode.number(), (int) places.mapToObj(state.honeycombs()::numbered)
                        .filter(Honeycomb::isConnected)
                        .count());
            }
        });
        return replicas;
    }

    /** The content of a file at a time. */
    record Version(long inode, int generation, long version) {
        static Version newestOf(Inode inode) {
            return new Version(inode.number(), inode.generation(), inode.version());
        }
    }

    /** A secondary that she counts as current. */
    record Secondary(Version version, String desktop) {}

    /** All that she counts as current; none while she does not run, or has yet to hear what she has lost. */
    List<Secondary> currentSecondaries() {
        List<Secondary> current = new ArrayList<>();
        if (queenBee != null && !forgetful) {
            QueenState state = queenBee.state();
            state.namespace()
                    .forEach(inode -> inode.secondaries()
                            .current()
                            .mapToObj(state.honeycombs()::numbered)
                            .map(honeycomb -> new Secondary(Version.newestOf(inode), honeycomb.desktop()))
                            .forEach(current::add));
        }
        return current;
    }

    /** Which version she believes each secondary to hold that holds any; none while she does not run. */
    Map<VersionWatch.Replica, Long> secondaryVersions() {
        Map<VersionWatch.Replica, Long> versions = new HashMap<>();
        if (queenBee != null) {
            QueenState state = queenBee.state();
            state.namespace()
                    .forEach(inode -> inode.secondaries()
                            .honeycombs()
                            .filter(number -> inode.versionIn(number) != 0)
                            .forEach(number -> versions.put(
                                    new VersionWatch.Replica(
                                            "the queen-bee",
                                            state.honeycombs().numbered(number).desktop(),
                                            new ReplicaId(inode.number(), inode.generation()),
                                            inode.epoch()),
                                    inode.versionIn(number))));
        }
        return versions;
    }

    /**
     * The newest versions of files that nobody writes, of which she believes that they are on disk; none while she does
     * not run, or has yet to hear what she has lost.
     */
    List<Version> newestVersions() {
        List<Version> newest = new ArrayList<>();
        if (queenBee != null && !forgetful) {
            queenBee.state().namespace().forEach(inode -> {
                if (inode.isRegular() && inode.version() != 0 && !inode.dirty() && !inode.unsealed()) {
                    newest.add(Version.newestOf(inode));
                }
            });
        }
        return newest;
    }

    /** Somebody wants to do without a desktop, or not any more; false if she is dead and does not hear of it. */
    public boolean drain(SimDesktop desktop, boolean cancel) {
        if (queenBee == null) {
            return false;
        }
        Drain drain = Drain.newBuilder()
                .setDesktop(desktop.host().name())
                .setCancel(cancel)
                .build();
        ask(QueenRequest.newBuilder().setDrain(drain).build(), done -> {});
        return true;
    }

    /** Whether she knows that a desktop is away. */
    public boolean isAway(SimDesktop desktop) {
        return queenBee != null
                && !queenBee.state().honeycombs().lastOn(desktop.host().name()).isConnected();
    }

    /** Whether she runs, and has given up a desktop. */
    public boolean isLost(SimDesktop desktop) {
        return queenBee != null
                && queenBee.state().honeycombs().lastOn(desktop.host().name()).presence() == Presence.LOST;
    }

    /** Whether she has given up a desktop, and has been told that it does not come back. */
    public boolean isDeclaredLost(SimDesktop desktop) {
        return running()
                .state()
                .honeycombs()
                .lastOn(desktop.host().name())
                .absence()
                .isDeclaredLost();
    }

    /** Somebody does not expect a desktop back that is away. */
    public void declareLost(SimDesktop desktop) {
        DeclareLost lost =
                DeclareLost.newBuilder().setDesktop(desktop.host().name()).build();
        ask(QueenRequest.newBuilder().setDeclareLost(lost).build(), done -> {});
    }

    /** Whether a desktop that is away has changes that are to become files. */
    public boolean owesConflictCopies(SimDesktop desktop) {
        return running().state().honeycombs().all().stream()
                .filter(honeycomb -> honeycomb.desktop().equals(desktop.host().name()))
                .anyMatch(honeycomb ->
                        !honeycomb.errandQueue().conflicts().copies().isEmpty());
    }

    /** Somebody wants a desktop forgotten; never done if she dies before she answers. */
    public CompletableFuture<Void> forget(SimDesktop desktop) {
        CompletableFuture<Void> forgotten = new CompletableFuture<>();
        Forget forget = Forget.newBuilder().setDesktop(desktop.host().name()).build();
        ask(
                QueenRequest.newBuilder().setForget(forget).build(),
                reply -> {
                    if (reply.hasFailure()) {
                        forgotten.completeExceptionally(PosixException.of(reply.getFailure()));
                    } else {
                        forgotten.complete(null);
                    }
                },
                forgotten::completeExceptionally);
        return forgotten;
    }

    void askReport(Consumer<HiveReport> listener) {
        ask(
                QueenRequest.newBuilder()
                        .setHiveStatus(HiveStatus.getDefaultInstance())
                        .build(),
                reply -> listener.accept(reply.getHiveReport()));
    }

    private void ask(QueenRequest request, Consumer<QueenReply> listener) {
        ask(request, listener, cause -> {
            throw new IllegalStateException("the queen-bee does not report", cause);
        });
    }

    private void ask(QueenRequest request, Consumer<QueenReply> listener, Consumer<PosixException> refused) {
        running().submit(request, new Tool(), new Service.Responder() {
            @Override
            public void answer(MessageLite reply, Payload payload) {
                listener.accept((QueenReply) reply);
            }

            @Override
            public void fail(PosixException cause) {
                refused.accept(cause);
            }
        });
    }
}
