package org.beefs.cli.daemon;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;
import org.beefs.cli.configuration.DesktopConfig;
import org.beefs.cli.control.ControlRequest.ApiCall;
import org.beefs.cli.control.DaemonStatus;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.program.Version;
import org.beefs.cli.state.MountMemory;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.WantedMount;
import org.beefs.cli.view.MountView;
import org.beefs.common.linux.MachineStart;
import org.beefs.common.metrics.Latencies.Reading;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.wire.Hello;
import org.beefs.honeybee.HoneybeeConfig;
import org.beefs.honeybee.data.DataWorld;
import org.beefs.honeybee.data.Honeycombs;
import org.beefs.honeybee.filesystem.hive.HiveFileSystem;
import org.beefs.honeybee.mount.Driver;
import org.beefs.honeybee.mount.MountOptions;
import org.beefs.honeybee.mount.RequestMeter.Opens;
import org.beefs.honeybee.queen.DecidedLog;
import org.beefs.honeybee.queen.Desktop;
import org.beefs.honeybee.queen.QueenProxy;
import org.beefs.honeybee.queen.QueenSession;
import org.beefs.honeybee.trace.Calls;
import org.beefs.honeybee.trace.SlowCalls;
import org.beefs.honeybee.trace.TraceAnswer;
import org.beefs.honeybee.trace.TraceQuestion;
import org.beefs.honeybee.trace.Traces;
import org.beefs.honeybee.trace.Waits;
import org.beefs.honeycomb.HoneycombConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** One desktop: its honeycomb, if it has one, its mounts, and the session with the queen-bee that both share. */
final class DesktopDaemon implements Daemon {
    /** How long a start waits for the queen-bee's word; a queen-bee that is away is no reason not to start. */
    private static final Duration REGISTRATION = Duration.ofSeconds(13);

    /** For what a trace shows; the queen-bee, who is asked for it, has less time. */
    private static final Duration ANSWER = Duration.ofSeconds(3);

    private static final Duration GOODBYE = Duration.ofSeconds(3);
    private static final Logger LOG = LoggerFactory.getLogger(DesktopDaemon.class);

    private final DesktopConfig config;
    private final World world;
    private final @Nullable DesktopHoneycomb honeycomb;
    private final DecidedLog decided;
    private final QueenSession session;
    private final Honeycombs honeycombs;
    private final DesktopMounts mounts;
    private final Traces traces;

    /** Null until it has started. */
    private volatile @Nullable SleepWatch sleepWatch;

    /** Null until it has started, and when nobody wants metrics or they cannot be told. */
    private volatile @Nullable MetricsServer metrics;

    private DesktopDaemon(ProcessFolder folder, DesktopConfig config, World world) {
        this.config = config;
        this.world = world;
        Path kept = config.honeycomb().map(HoneycombConfig::folder).orElse(folder.path());
        String machineStart = MachineStart.of(kept, world.random());
        this.honeycomb = config.honeycomb()
                .map(offered -> DesktopHoneycomb.open(offered, hello(config, world), world, machineStart))
                .orElse(null);
        this.decided = openLog(kept, machineStart);
        HoneybeeConfig bee = config.honeybeeConfig();
        this.session = new QueenSession(bee, world.rpc(), desktop());
        QueenProxy queen = new QueenProxy(session);
        DataWorld data = new DataWorld(
                bee,
                world.rpc(),
                hello(config, world),
                session::number,
                session::mayChange,
                inode -> queen.attributes(inode).thenApply(node -> node.getLayout()),
                session.cache(),
                session.sending());
        this.honeycombs = new Honeycombs(data, honeycomb == null ? null : honeycomb.forMounts());
        Calls calls = new Calls(world.requests(), world.clock());
        Waits waits = new Waits(session, honeycombs, visitor -> forEachAtTheDisk(visitor));
        SlowCalls.log(calls, waits, world.timers(), config.honeybee().slowCall());
        IdleHeap.watch(world.timers(), new IdleHeap.OfJvm());
        this.traces = new Traces(calls, waits, new KnownNames(queen), world.timers());
        this.mounts = new DesktopMounts(
                new PlacedMounts(),
                new MountMemory(folder.mounts()),
                readOnly -> new HiveFileSystem(queen, honeycombs, world.timers(), bee, readOnly),
                this::stats,
                calls,
                MountOptions.DEFAULTS
                        .withReaders(config.honeybee().readers())
                        .withDriver(Driver.of(config.honeybee().driver()))
                        .withNosuid(config.honeybee().nosuid())
                        .withKeepMounts(config.honeybee().keepMounts()),
                world.clock(),
                world.timers());
    }

    /** A daemon whose folder and honeycomb are open, and that nobody knows of yet. */
    static DesktopDaemon open(ProcessFolder folder, DesktopConfig config) {
        return new DesktopDaemon(folder, config.below(folder.path()), World.open(folder.key()));
    }

    @Override
    public void start(List<WantedMount> wanted) {
        wanted.forEach(mount -> mounts.prepare(mount.place()));
        config.metrics().address().ifPresent(this::tellMetrics);
        register();
        mounts.restore();
        wanted.forEach(mounts::mount);
        sleepWatch = SleepWatch.start(new SleepWatch.Sleeper() {
            @Override
            public CompletableFuture<Void> rest() {
                return session.rest();
            }

            @Override
            public void wake() {
                honeycombs
                        .connections()
                        .wake(); // before: the registration waits for what is held back, which goes to them
                session.wake();
            }
        });
    }

    @Override
    public DaemonStatus status() {
        DesktopHoneycomb own = honeycomb;
        String name = config.desktop().name();
        boolean connected = session.isConnected();
        return new DaemonStatus(
                name,
                Version.ofProgram(),
                own == null ? null : own.address(),
                connected,
                own == null ? List.of() : List.of(own.status(name, connected)),
                mounts.list(),
                null,
                mounts.requests(),
                connected ? "" : session.trouble());
    }

    @Override
    public Optional<String> mount(WantedMount mount) {
        return mounts.mount(mount);
    }

    @Override
    public void umount(Path path) {
        mounts.umount(path);
    }

    @Override
    public void pause(Duration time) {
        if (honeycomb == null) {
            throw new CommandFailure(
                    ExitCode.FAILED, config.desktop().name() + " has no honeycomb: nothing is copied there");
        }
        honeycomb.pause(time);
    }

    @Override
    public void scrub() {
        if (honeycomb == null) {
            throw new CommandFailure(
                    ExitCode.FAILED, config.desktop().name() + " has no honeycomb: it holds no replicas");
        }
        honeycomb.scrub();
    }

    @Override
    public JsonNode api(ApiCall call, String user) {
        throw new CommandFailure(ExitCode.USAGE, "only the queen-bee has a REST interface");
    }

    @Override
    public TraceAnswer trace(TraceQuestion question) {
        try {
            return traces.look(question).get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | CompletionException e) {
            throw new CommandFailure(ExitCode.FAILED, Failures.toPosix(e).getMessage());
        } catch (TimeoutException e) {
            throw new CommandFailure(ExitCode.FAILED, config.desktop().name() + " is too busy to tell");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.FAILED, "interrupted");
        }
    }

    private void forEachAtTheDisk(LongConsumer visitor) {
        if (honeycomb != null) {
            honeycomb.forEachRequest(visitor);
        }
    }

    /** Mounts first, so that the last writes still find their honeycombs and the queen-bee hears of them. */
    @Override
    public void close() {
        mounts.close();
        SleepWatch watch = sleepWatch;
        if (watch != null) {
            watch.close();
        }
        MetricsServer teller = metrics;
        if (teller != null) {
            teller.close();
        }
        await(session.stop(), GOODBYE);
        honeycombs.connections().close();
        if (honeycomb != null) {
            honeycomb.close();
        }
        world.close();
    }

    private String stats(Path place, Instant since, String driver, Opens opens, SortedMap<String, Reading> times) {
        DesktopHoneycomb own = honeycomb;
        return MountView.text(
                new MountView.Mounted(config.desktop().name(), Version.ofProcess(), place.toString(), since, driver),
                new MountView.Desktop(
                        session.isConnected(),
                        session.waiting(),
                        session.openFiles(),
                        session.cache().counts(),
                        honeycombs.writeBehind().bytes(),
                        own == null ? null : own.space()),
                opens,
                times);
    }

    private void tellMetrics(InetSocketAddress address) {
        metrics = MetricsServer.open(address, DesktopMetrics.of(mounts, session, honeycombs.writeBehind(), honeycomb));
    }

    private void register() {
        PosixException refusal = await(session.start(), REGISTRATION).orElse(null);
        if (refusal == null) {
            return;
        } else if (refusal.errno() == Errno.EPROTO) {
            throw new CommandFailure(ExitCode.VERSION, refusal.getMessage());
        } else if (refusal.errno() != Errno.EIO && refusal.errno() != Errno.ETIMEDOUT) {
            throw new CommandFailure(ExitCode.FAILED, "the queen-bee refuses this desktop: " + refusal.getMessage());
        }
        LOG.warn("starting without the queen-bee; calls wait for it: {}", refusal.getMessage());
    }

    /** The failure, if there was one within the time. */
    private static Optional<PosixException> await(CompletableFuture<Void> future, Duration patience) {
        try {
            future.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return Optional.empty();
        } catch (TimeoutException e) {
            return Optional.of(new PosixException(Errno.ETIMEDOUT, "no answer within " + patience.toSeconds() + " s"));
        } catch (ExecutionException | CompletionException e) {
            return Optional.of(Failures.toPosix(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of(new PosixException(Errno.EINTR, "interrupted"));
        }
    }

    private Desktop desktop() {
        return new Desktop(
                hello(config, world),
                () -> mountPoints(),
                () -> unreached(),
                honeycomb == null ? null : honeycomb.forSession(),
                decided);
    }

    /** Where the next process finds what this one has decided. */
    private static DecidedLog openLog(Path folder, String machineStart) {
        try {
            return DecidedLog.open(folder.resolve("decided"), machineStart);
        } catch (IOException e) {
            throw StartFailure.of(e);
        }
    }

    /** Asked by the session from its first registration on, which comes after the constructor. */
    private List<String> mountPoints() {
        return mounts.list();
    }

    /** Likewise asked by the session. */
    private List<ByteString> unreached() {
        return honeycombs.connections().unreached();
    }

    private static Hello hello(DesktopConfig config, World world) {
        return Hello.newBuilder()
                .setProtocol(RpcConnection.PROTOCOL)
                .setProgram(Version.ofProcess())
                .setRole("desktop")
                .setName(config.desktop().name())
                .setProcess(world.process())
                .build();
    }
}
