package org.beefs.cli.daemon;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.beefs.cli.configuration.QueenBeeFile;
import org.beefs.cli.control.ControlRequest.ApiCall;
import org.beefs.cli.control.DaemonStatus;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.program.Version;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.WantedMount;
import org.beefs.common.config.Addresses;
import org.beefs.common.metrics.OperationTimes;
import org.beefs.common.rpc.tcp.HiveKey;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.honeybee.trace.TraceAnswer;
import org.beefs.honeybee.trace.TraceQuestion;
import org.beefs.queenbee.console.Console;
import org.beefs.queenbee.console.settings.SettingsFile;
import org.beefs.queenbee.journal.StateDisk;
import org.beefs.queenbee.server.ListeningQueenBee;
import org.beefs.queenbee.server.QueenBeeServer;
import org.beefs.queenbee.server.RecoveringServer;
import org.beefs.queenbee.server.RecoveryPlan;
import org.beefs.queenbee.server.ServerWorld;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** The queen-bee as a daemon. */
final class QueenBeeDaemon implements Daemon {
    private static final Logger LOG = LoggerFactory.getLogger(QueenBeeDaemon.class);

    private final ListeningQueenBee server;
    private final World world;
    private final StateDisk disk;
    private final QueenBeeConsole console;

    private QueenBeeDaemon(ListeningQueenBee server, World world, StateDisk disk, QueenBeeConsole console) {
        this.server = server;
        this.world = world;
        this.disk = disk;
        this.console = console;
    }

    /**
     * Done when the namespace is loaded and served.
     *
     * @param settings of {@code config}, for the console
     * @param recovery how its state is rebuilt before; null if it is on disk
     */
    static QueenBeeDaemon open(
            ProcessFolder folder, SettingsFile settings, QueenBeeFile config, @Nullable RecoveryPlan recovery) {
        HiveKey key = folder.key();
        World world = World.open(QueenBeeServer.NETWORK_THREADS, key);
        OperationTimes<OperationCase> times = new OperationTimes<>();
        ServerWorld serverWorld = new ServerWorld(
                folder.path(),
                config.queenbee(),
                world.clock(),
                world.timers(),
                world.network(),
                world.random(),
                times);
        try {
            ListeningQueenBee server =
                    recovery == null ? QueenBeeServer.open(serverWorld) : RecoveringServer.open(serverWorld, recovery);
            warnIfOpen(key, server.address());
            StateDisk disk = StateDisk.watch(serverWorld.state());
            Console.World shown = new Console.World(
                    HexFormat.of().formatHex(server.hive().toByteArray()),
                    server,
                    times,
                    folder.path(),
                    world.clock(),
                    world.timers(),
                    world.network(),
                    disk::space);
            return new QueenBeeDaemon(server, world, disk, new QueenBeeConsole(shown, folder, settings, config));
        } catch (IOException e) {
            throw StartFailure.of(e);
        }
    }

    private static void warnIfOpen(@Nullable HiveKey key, InetSocketAddress address) {
        if (key == null && !address.getAddress().isLoopbackAddress()) {
            LOG.warn(
                    "whoever reaches {} can read and change everything: the hive has no key",
                    Addresses.format(address));
        }
    }

    @Override
    public void start(List<WantedMount> mounts) {
        mounts.forEach(this::mount);
        console.start();
    }

    @Override
    public DaemonStatus status() {
        QueenBeeReport report = QueenBeeReport.of(server.address(), world);
        return new DaemonStatus(
                "queenbee",
                Version.ofProgram(),
                Addresses.format(server.address()),
                true,
                report.honeycombs(),
                List.of(),
                report.summary(disk.space()),
                Map.of(),
                "");
    }

    @Override
    public Optional<String> mount(WantedMount mount) {
        throw new CommandFailure(ExitCode.USAGE, "the queen-bee has no mounts");
    }

    @Override
    public void umount(Path path) {
        throw new CommandFailure(ExitCode.USAGE, "the queen-bee has no mounts");
    }

    @Override
    public void pause(Duration time) {
        throw new CommandFailure(ExitCode.USAGE, "the queen-bee copies nothing; pause a desktop");
    }

    @Override
    public TraceAnswer trace(TraceQuestion question) {
        throw new CommandFailure(ExitCode.USAGE, "the queen-bee has no mounts; trace a desktop's");
    }

    @Override
    public void scrub() {
        throw new CommandFailure(ExitCode.USAGE, "the queen-bee holds no replicas; scrub a desktop");
    }

    @Override
    public JsonNode api(ApiCall call, String user) {
        return console.call(call, user);
    }

    @Override
    public void close() {
        console.close();
        disk.close();
        server.close();
        world.close();
    }
}
