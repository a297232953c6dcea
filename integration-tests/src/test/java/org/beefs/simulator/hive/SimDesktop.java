package org.beefs.simulator.hive;

import com.google.protobuf.ByteString;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.config.Altered;
import org.beefs.common.config.ByteSize;
import org.beefs.common.posix.Errno;
import org.beefs.common.replica.LocalHoneycomb;
import org.beefs.common.rpc.Network;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.rpc.RpcEnvironment;
import org.beefs.common.time.Clock;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.Node;
import org.beefs.honeybee.HoneybeeConfig;
import org.beefs.honeybee.data.DataWorld;
import org.beefs.honeybee.data.HoneycombConnections;
import org.beefs.honeybee.data.Honeycombs;
import org.beefs.honeybee.data.LocalReplicas;
import org.beefs.honeybee.filesystem.KernelCache;
import org.beefs.honeybee.filesystem.hive.HiveFileSystem;
import org.beefs.honeybee.queen.DecidedLog;
import org.beefs.honeybee.queen.Desktop;
import org.beefs.honeybee.queen.QueenProxy;
import org.beefs.honeybee.queen.QueenSession;
import org.beefs.honeycomb.Honeycomb;
import org.beefs.honeycomb.HoneycombConfig;
import org.beefs.honeycomb.HoneycombWorld;
import org.beefs.honeycomb.memory.MemoryCatalog;
import org.beefs.honeycomb.memory.MemoryDisk;
import org.beefs.honeycomb.memory.MemoryRecords;
import org.beefs.honeycomb.memory.MemoryScrubStore;
import org.beefs.honeycomb.pace.Pressure;
import org.beefs.honeycomb.pace.User;
import org.beefs.simulator.kernel.Flaw;
import org.beefs.simulator.kernel.SimKernel;
import org.beefs.simulator.kernel.SystemCalls;
import org.beefs.simulator.kernel.Trust;
import org.beefs.simulator.world.SimHost;
import org.beefs.simulator.world.SimProcess;
import org.beefs.simulator.world.World;
import org.jspecify.annotations.Nullable;

/** A desktop: its disk, and the daemon that runs there, one life after the other. */
public final class SimDesktop {
    private static final int PORT = 7412;
    private static final long DISK = 1L << 40;

    /** As in the daemon of a desktop. */
    private static final Duration GOODBYE = Duration.ofSeconds(3);

    private static final Duration LONGEST_STOP = Duration.ofSeconds(13);

    /** One of so many kernels cannot forget entries. */
    private static final int OLD_KERNELS = 5;

    private final World world;
    private final SimHost host;
    /** Ends what keeps the machine from all others while it sleeps. */
    private Runnable reachable = () -> {};

    private final InetSocketAddress queenBee;
    private final long capacity;
    private final ByteSize copyRate;
    private final Bounds bounds;
    private final @Nullable MemoryDisk disk;
    private final ByteBuffer decided = ByteBuffer.allocate(DecidedLog.BYTES);
    private final MemoryRecords records = new MemoryRecords();
    private final MemoryScrubStore checksums = new MemoryScrubStore();
    private final MemoryCatalog catalog = new MemoryCatalog(records, checksums);
    private final Sabotage sabotage;
    private final boolean hasEpochs;
    private final RandomGenerator random;
    private int powerLosses;
    private boolean isGone;
    private SimProcess process;
    private @Nullable QueenSession session;
    private @Nullable HoneycombConnections connections;
    private @Nullable SimKernel kernel;

    /** Stops the present daemon in order. */
    private Supplier<CompletableFuture<Void>> stop = () -> CompletableFuture.completedFuture(null);

    private Consumer<Duration> pause = _ -> {};

    private boolean hasFailedToSync;
    private boolean stopping;
    private boolean startsAgain;

    /**
     * @param capacity as {@link Storage} has it
     * @param copyRate likewise
     */
    SimDesktop(
            World world,
            String name,
            InetSocketAddress queenBee,
            long capacity,
            ByteSize copyRate,
            Bounds bounds,
            Sabotage sabotage) {
        this.world = world;
        this.host = world.host(name);
        this.queenBee = queenBee;
        this.capacity = capacity;
        this.copyRate = copyRate;
        this.bounds = bounds;
        this.disk = capacity > 0 ? new MemoryDisk(host.clock(), DISK) : null;
        this.sabotage = sabotage;
        this.random = world.random();
        this.hasEpochs = random.nextInt(OLD_KERNELS) != 0;
        sabotage(disk);
        this.process = world.process(name, host);
    }

    private void sabotage(@Nullable MemoryDisk chosen) {
        if (chosen != null && sabotage == Sabotage.NEVER_SYNCS_CONTENT) {
            chosen.ignoreSyncs();
        }
        if (chosen != null && sabotage == Sabotage.FAILURES_UNNOTICED) {
            chosen.hideFailures();
        }
        if (sabotage == Sabotage.FORGETS_CHECKSUMS) {
            checksums.forget();
        }
        if (chosen != null && sabotage == Sabotage.SYNCS_CONTENT_ONLY) {
            chosen.ignoreSyncsWithoutContent();
        }
        if (chosen != null && sabotage == Sabotage.COUNTS_BEFORE_SYNC) {
            chosen.ignoreSyncsOfIncoming();
        }
        if (chosen != null && sabotage == Sabotage.CTIME_STANDS) {
            chosen.keepCtimeOutside();
        }
        if (chosen != null && sabotage == Sabotage.TRUSTS_RELEASE) {
            chosen.hideWriters();
        }
    }

    /** Whatever the disk has refused is over, or the daemon would not start. */
    void start() {
        setFault(DiskFault.NONE, () -> {});
        hasFailedToSync = false;
        process = world.process(host.name(), host);
        Network network = world.network().of(process);
        Timers timers = process.timers();
        RpcEnvironment environment = new RpcEnvironment(network, timers, clock(), random);
        Hello hello = Hello.newBuilder()
                .setProtocol(RpcConnection.PROTOCOL)
                .setProgram("simulator")
                .setRole("desktop")
                .setName(host.name())
                .setProcess(random.nextLong())
                .build();
        Honeycomb honeycomb = disk == null ? null : startHoneycomb(disk, network, timers, hello);
        HoneybeeConfig config = config();
        LocalHoneycomb local = honeycomb == null ? null : new SmallHoneycomb(honeycomb, capacity);
        DecidedLog log = new DecidedLog(decided, "start " + powerLosses);
        QueenSession started =
                new QueenSession(config, environment, new Desktop(hello, List::of, this::unreached, local, log));
        QueenProxy queen = new QueenProxy(started);
        DataWorld data = new DataWorld(
                config,
                environment,
                hello,
                started::number,
                started::mayChange,
                inode -> queen.attributes(inode).thenApply(Node::getLayout),
                started.cache(),
                started.sending());
        Honeycombs honeycombs = new Honeycombs(
                data, honeycomb == null ? null : new LocalReplicas(honeycomb.uuid(), honeycomb.replicas()));
        session = started;
        connections = honeycombs.connections();
        HiveFileSystem fileSystem = new HiveFileSystem(queen, honeycombs, timers, config, false);
        stop = () -> stop(fileSystem, started, honeycombs, honeycomb, timers);
        pause = honeycomb == null ? _ -> {} : honeycomb::pause;
        kernel = new SimKernel(
                world.scheduler(),
                host,
                process,
                random,
                fileSystem,
                disk,
                hasEpochs,
                flaw(),
                sabotage == Sabotage.NO_NOTIFICATION ? Unnotified::new : UnaryOperator.identity());
        CompletableFuture<Void> registered = started.start();
        registered.exceptionally(failure -> {
            throw new IllegalStateException(host + " cannot register", failure);
        });
    }

    private List<ByteString> unreached() {
        return Objects.requireNonNull(connections).unreached();
    }

    private Honeycomb startHoneycomb(MemoryDisk folder, Network network, Timers timers, Hello hello) {
        HoneycombConfig config = Altered.copy(
                HoneycombConfig.defaults(),
                Map.of(
                        "listen",
                        new InetSocketAddress(host.address(), PORT),
                        "capacity",
                        Optional.of(new ByteSize(DISK / 2)),
                        "reserve",
                        Optional.of(new ByteSize(0)),
                        "openFiles",
                        8,
                        "copyRate",
                        copyRate,
                        "scrubRate",
                        new ByteSize(64L << 20)));
        HoneycombWorld injected = new HoneycombWorld(
                network,
                host.clock(),
                timers,
                random,
                UnpooledByteBufAllocator.DEFAULT,
                process.threadPool(),
                process.threadPool(),
                process.threadPool(),
                Pressure.UNKNOWN,
                User.UNKNOWN,
                Optional::empty,
                sabotage == Sabotage.POWER_CUT_UNNOTICED ? "always the same" : "start " + powerLosses);
        try {
            return Honeycomb.start(config, hello, injected, folder.mount(), catalog);
        } catch (IOException e) {
            throw new IllegalStateException(host + "'s honeycomb cannot start", e);
        }
    }

    /**
     * Shorter deadlines than usual, so that lost frames cost less virtual time than the patience. No answer ever comes
     * from memory: the model knows only what is true.
     */
    private HoneybeeConfig config() {
        return Altered.copy(
                HoneybeeConfig.of(queenBee, Duration.ofMinutes(2)),
                Map.of(
                        "queenDeadline", Duration.ofSeconds(3),
                        "dataDeadline", Duration.ofSeconds(3),
                        "syncDeadline", Duration.ofSeconds(6),
                        "mountPatience", Duration.ofDays(1),
                        "maxChanges", bounds.maxChanges(),
                        "maxConnections", bounds.maxConnections(),
                        "maxTransfers", bounds.maxTransfers(),
                        "maxHeldBack", bounds.maxHeldBack(),
                        "maxCachedNodes", bounds.maxCachedNodes(),
                        "maxCachedEntries", bounds.maxCachedEntries()));
    }

    /**
     * What the disk refuses from now on.
     *
     * @param refused is run each time
     */
    public void setFault(DiskFault fault, Runnable refused) {
        if (disk != null) {
            disk.setForeign(fault == DiskFault.FULL ? DISK : 0);
            disk.setFaults(operation -> {
                Errno errno = fault.of(operation);
                if (errno != null) {
                    refused.run();
                    hasFailedToSync |= fault == DiskFault.NO_SYNC;
                }
                return errno;
            });
        }
    }

    /** Whether there may be content which cannot be brought to disk any more: the present daemon does not try again. */
    public boolean hasFailedToSync() {
        return hasFailedToSync;
    }

    /** As the desktop's daemon does it, each step for as long as it does. */
    private static CompletableFuture<Void> stop(
            HiveFileSystem fileSystem,
            QueenSession session,
            Honeycombs honeycombs,
            @Nullable Honeycomb honeycomb,
            Timers timers) {
        fileSystem.releaseAll();
        return Futures.within(timers, GOODBYE, session.stop().thenApply(_ -> true))
                .thenCompose(_ -> {
                    honeycombs.connections().close();
                    return honeycomb == null ? Futures.DONE : honeycomb.stop();
                })
                .thenCompose(_ -> Futures.DONE);
    }

    /** Its owner has it copy nothing for so long that nobody waits for. */
    public void pauseCopies(Duration time) {
        pause.accept(time);
    }

    /**
     * The daemon ends as on SIGTERM: its mount goes at once, then it takes leave of the hive, and leaves the folder in
     * order. Nothing happens when it cannot.
     */
    public void stopInOrder() {
        SimProcess ending = process;
        stopping = true;
        kernel().unmount();
        Runnable end = () -> {
            if (ending.alive()) {
                ended();
            }
        };
        ending.execute(0, () -> stop.get().whenComplete((_, _) -> end.run()));
        ending.execute(LONGEST_STOP.toNanos(), end);
    }

    private void ended() {
        boolean again = startsAgain;
        kill();
        if (sabotage == Sabotage.FORGETS_AT_STOP) {
            catalog.forgetLast();
        }
        if (again) {
            start();
        }
    }

    /** The daemon dies as by {@code kill -9}; what it has written stays. */
    public void kill() {
        process.kill();
        session = null;
        stopping = false;
        startsAgain = false;
    }

    /** The host loses its power: of what was not synced anything may be left. */
    public void losePower() {
        kill();
        if (disk != null) {
            powerLosses++;
            disk.losePower(random);
        }
    }

    boolean hasLostPower() {
        return powerLosses > 0;
    }

    /** The daemon dies, and is started by nobody any more, whatever was planned, before it {@link #comeBack}. */
    public void loseForEver() {
        kill();
        isGone = true;
    }

    /** It was not for ever. */
    public void comeBack() {
        isGone = false;
        ensureRunning();
    }

    public void ensureRunning() {
        if (isGone) {
            return;
        }
        if (!process.alive()) {
            start();
        } else {
            startsAgain = stopping;
        }
    }

    /** Whether programs are served, though they may have to wait. */
    public boolean isRunning() {
        return process.alive() && !stopping;
    }

    /** Whether its daemon has a session with the queen-bee, and no reason to think that it ends. */
    public boolean isConnected() {
        return session != null && session.isConnected();
    }

    /** The number of the present daemon's session. */
    public long session() {
        return session == null ? 0 : session.number();
    }

    /** Done when the hive has all that the present daemon has decided before by itself. */
    public CompletableFuture<Void> settled() {
        return session == null ? CompletableFuture.completedFuture(null) : session.settled();
    }

    /** The mount of the present daemon, or of the last one, which answers nobody. */
    public SimKernel kernel() {
        if (kernel == null) {
            throw new IllegalStateException("no daemon has ever run on " + host);
        }
        return kernel;
    }

    /** The hive as programs see it. */
    public SystemCalls fileSystem() {
        return kernel().calls(new Trust());
    }

    /** The machine sleeps: the daemon stands still, and so does the kernel's clock. */
    public void fallAsleep() {
        if (!host.isAsleep()) {
            host.fallAsleep();
            process.stop();
            reachable = world.network().cutOff(host);
        }
    }

    public void wakeUp() {
        if (host.isAsleep()) {
            host.wakeUp();
            reachable.run();
            process.goOn();
        }
    }

    /** Whether programs can do anything here: those that need the daemon wait for it. */
    public boolean isAwake() {
        return !host.isAsleep();
    }

    private Flaw flaw() {
        return switch (sabotage) {
            case PAGES_KEPT -> Flaw.KEEPS_PAGES;
            case WRITE_ERRORS_SWALLOWED -> Flaw.SWALLOWS_FAILURES;
            default -> Flaw.NONE;
        };
    }

    private Clock clock() {
        return switch (sabotage) {
            case SLEEPS_UNNOTICED -> host.clockCountedBy(host::kernelNanos);
            case LEASES_BY_TIME_OF_DAY -> host.clockCountedBy(host::timeOfDay);
            default -> host.clock();
        };
    }

    /** What the disk holds, by inode number. Ends the daemon. */
    public Map<Long, ByteString> replicas() {
        kill();
        return disk == null ? new TreeMap<>() : Replicas.of(disk);
    }

    /** The queen-bee's records in the honeycomb's catalog. */
    MemoryRecords records() {
        return records;
    }

    /** What its honeycomb has learned, whatever is answered to it. */
    MemoryScrubStore checksums() {
        return checksums;
    }

    public Optional<MemoryDisk> disk() {
        return Optional.ofNullable(disk);
    }

    public SimHost host() {
        return host;
    }

    public SimProcess process() {
        return process;
    }

    /** A kernel that is never told anything, though its daemon believes so. */
    private record Unnotified(KernelCache kernel) implements KernelCache {
        @Override
        public boolean canForgetEntries() {
            return kernel.canForgetEntries();
        }

        @Override
        public void invalidateEntries() {}

        @Override
        public boolean invalidateAttributes(long inode) {
            return true;
        }

        @Override
        public CompletableFuture<Void> invalidatePages(long inode) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Void> invalidateAllPages() {
            return CompletableFuture.completedFuture(null);
        }
    }
}
