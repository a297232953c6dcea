package org.beefs.cli.process;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.beefs.cli.control.ControlClient;
import org.beefs.cli.mounts.MountRemoval;
import org.beefs.cli.process.DaemonStarter.Started;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.MountMemory;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.Reasons;
import org.beefs.cli.state.WantedMount;

/** The daemons of a hive that run on this machine, together. Its user holds the {@link HiveLock}. */
public final class Hive {
    /** For a daemon that may be busy, not for one that was stopped. */
    private static final Duration ANSWER = Duration.ofSeconds(10);

    private static final Duration MOUNT = Duration.ofSeconds(60);

    /** For a hive far larger than it can be. */
    private static final Duration RECOVERY = Duration.ofHours(1);

    private final HiveFolder folder;
    private final DaemonStarter starter;

    public Hive(HiveFolder folder, Map<String, String> environment) {
        this.folder = folder;
        this.starter = new DaemonStarter(folder, environment);
    }

    /** Hears of daemons that start. */
    public interface Starts {
        void starting(ProcessFolder daemon);

        /** It was started by somebody else and is not ready yet, or is just ending. */
        void awaiting(ProcessFolder daemon);

        /** It answers. */
        void ready(ProcessFolder daemon);
    }

    /**
     * Starts those of the daemons that do not run, the queen-bee first; each desktop mounts what it remembers. One that
     * somebody else has just started is waited for. A daemon that runs and does not answer is a failure.
     */
    public void start(List<ProcessFolder> daemons, Starts starts) {
        List<Started> started = new ArrayList<>();
        for (ProcessFolder daemon : daemons) {
            if (isRunning(daemon, starts)) {
                requireAnswer(daemon);
            } else {
                starts.starting(daemon);
                Started process = starter.start(daemon, List.of());
                if (daemon.role() == ProcessFolder.Role.QUEENBEE) {
                    awaitReady(process, starts);
                } else {
                    started.add(process);
                }
            }
        }
        started.forEach(process -> awaitReady(process, starts));
    }

    /** Waits for one that is starting or ending. */
    private static boolean isRunning(ProcessFolder daemon, Starts starts) {
        ControlClient client = new ControlClient(daemon);
        if (isLiving(daemon) && !client.isListening()) {
            starts.awaiting(daemon);
            Await.until(DaemonStarter.START, () -> client.isListening() || !isLiving(daemon));
        }
        return isLiving(daemon);
    }

    private static boolean isLiving(ProcessFolder daemon) {
        return DaemonStopper.living(daemon).isPresent();
    }

    private void awaitReady(Started process, Starts starts) {
        starter.awaitReady(process);
        starts.ready(process.folder());
    }

    /**
     * Starts the queen-bee in an empty folder, to be rebuilt from honeycombs, and the configured desktops that do not
     * run.
     *
     * @param options of {@code beefs queenbee} beside {@code --recover}
     * @param progress hears what the recovery tells people
     */
    public void recover(List<String> options, Starts starts, Consumer<String> progress) {
        List<Started> started = new ArrayList<>();
        for (ProcessFolder desktop : folder.desktops()) {
            if (desktop.isConfigured() && !isLiving(desktop)) {
                starts.starting(desktop);
                started.add(starter.start(desktop, List.of()));
            }
        }
        LogFollower log = new LogFollower(folder.queenBee().log(), "recovery: ", progress);
        starts.starting(folder.queenBee());
        List<String> all = new ArrayList<>(List.of("--recover"));
        all.addAll(options);
        Started queenBee = starter.start(folder.queenBee(), all);
        starter.awaitReady(queenBee, RECOVERY, log::look);
        log.look();
        started.forEach(process -> awaitReady(process, starts));
    }

    /**
     * Mounts the hive on a desktop that runs. Harmless when it is there already. Answers a line for people about what
     * the mount cannot do, if there is such a thing.
     */
    public Optional<String> mount(ProcessFolder desktop, WantedMount mount) {
        try {
            return new ControlClient(desktop).mount(mount, MOUNT);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, "cannot mount at " + mount.path() + ": " + Reasons.of(e));
        }
    }

    /**
     * Stops all daemons, desktops first, and removes mounts that they left behind.
     *
     * @param killed hears of those that had to be killed
     * @param stopped hears of each that has ended
     */
    public void stop(Consumer<ProcessFolder> killed, Consumer<ProcessFolder> stopped) {
        DaemonStopper.stop(folder.desktops(), killed, stopped);
        folder.desktops().forEach(Hive::clearMounts);
        DaemonStopper.stop(List.of(folder.queenBee()), killed, stopped);
    }

    /**
     * Takes away what a desktop that does not run has left mounted. Another hive may be mounted there by now: it stays.
     */
    private static void clearMounts(ProcessFolder desktop) {
        for (WantedMount mount : new MountMemory(desktop.mounts()).list()) {
            MountRemoval.leftovers(mount.place());
        }
    }

    private static void requireAnswer(ProcessFolder daemon) {
        try {
            new ControlClient(daemon).status(ANSWER);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "%s runs (pid %d) but does not answer; see %s, or stop it with  beefs down --state %s"
                            .formatted(
                                    daemon.name(),
                                    DaemonStopper.living(daemon)
                                            .map(ProcessIdentity::pid)
                                            .orElse(0L),
                                    DaemonLog.placeOf(daemon),
                                    daemon.path().getParent()));
        }
    }
}
