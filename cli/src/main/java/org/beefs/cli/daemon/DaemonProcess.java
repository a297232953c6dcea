package org.beefs.cli.daemon;

import ch.qos.logback.classic.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.beefs.cli.configuration.DesktopConfig;
import org.beefs.cli.configuration.QueenBeeFile;
import org.beefs.cli.control.ControlServer;
import org.beefs.cli.logging.Logging;
import org.beefs.cli.logging.StartingConsole;
import org.beefs.cli.process.PidFile;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.Reasons;
import org.beefs.cli.state.WantedMount;
import org.beefs.common.config.ConfigurationException;
import org.beefs.common.config.ConfigurationFile;
import org.beefs.common.time.SystemTimers;
import org.beefs.queenbee.console.settings.SettingsFile;
import org.beefs.queenbee.server.RecoveryPlan;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A daemon's life in this process: it takes its folder, starts, answers at its control socket, and stops cleanly when
 * SIGTERM, SIGINT or a tool says so.
 */
public final class DaemonProcess {
    /** After that the process ends as if it had been killed, which loses nothing that was promised. */
    private static final Duration STOP = Duration.ofSeconds(15);

    private static final Logger LOG = LoggerFactory.getLogger(DaemonProcess.class);

    private final ProcessFolder folder;

    /** Null in the background. */
    private final @Nullable StartingConsole console;

    /** Null until the daemon has started. */
    private volatile @Nullable ControlServer control;

    /** What fails from then on may fail for that reason. */
    private volatile boolean stopping;

    private DaemonProcess(ProcessFolder folder, @Nullable StartingConsole console) {
        this.folder = folder;
        this.console = console;
    }

    /**
     * A daemon that is about to run.
     *
     * @param background log to the folder's log file, instead of the terminal
     */
    public static DaemonProcess of(ProcessFolder folder, boolean background, Map<String, String> environment) {
        Level level = Level.toLevel(environment.get("BEEFS_LOG"), Level.INFO);
        if (background) {
            folder.create();
            Logging.toFile(folder.log(), level);
            return new DaemonProcess(folder, null);
        }
        return new DaemonProcess(folder, Logging.toConsole(level));
    }

    /** Runs a desktop daemon. Does not return, except with the failure that keeps it from starting. */
    public void runDesktop(@Nullable Path file, Map<String, String> settings, List<WantedMount> mounts) {
        run(
                () -> {
                    DesktopConfig config = read(file, DesktopConfig.class, settings);
                    Logging.use(config.log(), "desktop", config.desktop().name());
                    return DesktopDaemon.open(folder, config);
                },
                mounts);
    }

    /**
     * Runs a queen-bee. Does not return, except with the failure that keeps it from starting.
     *
     * @param recovery how its state is rebuilt before; null if that is on its disk
     */
    public void runQueenBee(@Nullable Path file, Map<String, String> settings, @Nullable RecoveryPlan recovery) {
        Path written = file == null ? folder.configuration() : file;
        run(
                () -> {
                    QueenBeeFile config = read(file, QueenBeeFile.class, settings);
                    Logging.use(config.log(), "queenbee", null);
                    return QueenBeeDaemon.open(
                            folder,
                            new SettingsFile(written, settings, config, QueenBeeFile.defaults()),
                            config,
                            recovery);
                },
                List.of());
    }

    private static <R extends Record> R read(@Nullable Path file, Class<R> type, Map<String, String> settings) {
        try {
            return ConfigurationFile.read(file, type, settings);
        } catch (ConfigurationException e) {
            throw new CommandFailure(ExitCode.CONFIGURATION, Reasons.of(e));
        }
    }

    private void run(Supplier<Daemon> open, List<WantedMount> mounts) {
        try {
            folder.create();
            serve(open, mounts, PidFile.take(folder));
        } catch (CommandFailure e) {
            if (stopping) {
                waitForever();
            }
            if (console == null) {
                LOG.error("cannot start: {}", Reasons.of(e));
            } else { // the command shows it on the same terminal
                console.silence();
            }
            throw e;
        } catch (RuntimeException | LinkageError e) {
            showLog();
            LOG.error("cannot start", e);
            throw e;
        }
    }

    private void serve(Supplier<Daemon> open, List<WantedMount> mounts, PidFile hold) {
        Daemon daemon = open.get();
        // From here on, so that a process that is ended while it starts, or fails to, leaves no dead mount behind.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(daemon, hold), "beefs-stop"));
        daemon.start(mounts);
        control = ControlServer.open(folder.control(), daemon, new SystemTimers());
        LOG.info("{} is ready", folder.name());
        showLog();
        waitForever();
    }

    private void showLog() {
        if (console != null) {
            console.release();
        }
    }

    private void stop(Daemon daemon, PidFile hold) {
        stopping = true;
        LOG.info("{} stops", folder.name());
        ControlServer opened = control;
        if (opened != null) {
            opened.close();
        }
        Thread closing = Thread.ofPlatform().daemon().name("beefs-close").start(daemon::close);
        try {
            if (closing.join(STOP)) {
                LOG.info("{} has stopped", folder.name());
            } else {
                LOG.warn("{} did not stop within {} s and ends now", folder.name(), STOP.toSeconds());
            }
        } catch (InterruptedException e) {
            LOG.warn("interrupted while stopping");
        }
        hold.close();
    }

    private static void waitForever() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            LOG.info("interrupted");
        }
    }
}
