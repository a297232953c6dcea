package org.beefs.cli.daemon;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.beefs.cli.CommandFailure;
import org.beefs.cli.ExitCode;
import org.beefs.cli.command.Version;
import org.beefs.cli.control.DaemonStatus;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.WantedMount;
import org.beefs.common.config.Addresses;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.server.ListeningQueenBee;
import org.beefs.queenbee.server.QueenBeeServer;
import org.beefs.queenbee.server.RecoveringServer;
import org.beefs.queenbee.server.ServerWorld;
import org.jspecify.annotations.Nullable;

/** The queen-bee as a daemon. */
final class QueenBeeDaemon implements Daemon {
    private final ListeningQueenBee server;
    private final World world;

    private QueenBeeDaemon(ListeningQueenBee server, World world) {
        this.server = server;
        this.world = world;
    }

    /**
     * Done when the namespace is loaded and served.
     *
     * @param recovery how its state is rebuilt before; null if it is on disk
     */
    static QueenBeeDaemon open(ProcessFolder folder, QueenBeeConfig config, @Nullable RecoveryOptions recovery) {
        World world = World.open();
        ServerWorld server =
                new ServerWorld(folder.path(), config, world.clock(), world.timers(), world.network(), world.random());
        try {
            return new QueenBeeDaemon(
                    recovery == null
                            ? QueenBeeServer.open(server)
                            : RecoveringServer.open(server, recovery.honeycombs(), recovery.serveReadOnly()),
                    world);
        } catch (IOException e) {
            throw StartFailure.of(e);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.CONFIGURATION, "queenbee.listen: " + e.getMessage());
        }
    }

    @Override
    public void start(List<WantedMount> mounts) {
        mounts.forEach(this::mount);
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
                report.summary(),
                Map.of());
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
    public void declareLost(String desktop) {
        QueenBeeReport.declareLost(server.address(), world, desktop);
    }

    @Override
    public void pause(Duration time) {
        throw new CommandFailure(ExitCode.USAGE, "the queen-bee copies nothing; pause a desktop");
    }

    @Override
    public void drain(String desktop, boolean cancel) {
        QueenBeeReport.drain(server.address(), world, desktop, cancel);
    }

    @Override
    public void close() {
        server.close();
        world.close();
    }
}
