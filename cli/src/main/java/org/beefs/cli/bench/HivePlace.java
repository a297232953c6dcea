package org.beefs.cli.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.beefs.cli.control.ControlClient;
import org.beefs.cli.mounts.MountTable;
import org.beefs.cli.process.DaemonStopper;
import org.beefs.cli.process.ProcessIdentity;
import org.beefs.cli.process.ProcessUsage;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.MountMemory;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.WantedMount;

/**
 * A directory in a hive's mount.
 *
 * @param desktop whose daemon serves the mount
 * @param mount as it is to be again when it was dropped
 * @param daemons all of the hive on this machine
 */
record HivePlace(
        Path directory, ProcessFolder desktop, WantedMount mount, List<ProcessFolder> daemons, KernelCaches caches)
        implements Place {
    private static final Duration ANSWER = Duration.ofSeconds(60);

    /** Nothing where no hive of the state folder is mounted. */
    static Optional<Place> of(Path directory, HiveFolder hive, KernelCaches caches) {
        Optional<Path> mounted = MountTable.read().hiveAbove(directory);
        if (mounted.isEmpty()) {
            return Optional.empty();
        }
        for (ProcessFolder desktop : hive.desktops()) {
            Optional<WantedMount> remembered = new MountMemory(desktop.mounts()).at(mounted.get());
            if (remembered.isPresent()) {
                return Optional.of(new HivePlace(directory, desktop, remembered.get(), hive.processes(), caches));
            }
        }
        return Optional.empty();
    }

    /** By mounting it anew: what the daemon and the kernel keep for a mount goes with it. */
    @Override
    public void dropCaches() throws IOException, InterruptedException {
        ControlClient daemon = new ControlClient(desktop);
        daemon.umount(mount.place(), ANSWER);
        daemon.mount(mount, ANSWER);
        caches.drop();
    }

    @Override
    public ProcessUsage usage() throws IOException {
        ProcessUsage all = ProcessUsage.NONE;
        for (ProcessFolder daemon : daemons) {
            Optional<ProcessIdentity> living = DaemonStopper.living(daemon);
            if (living.isPresent()) {
                all = all.plus(ProcessUsage.of(living.get().pid()));
            }
        }
        if (all.threads().isEmpty()) {
            throw new CommandFailure(
                    ExitCode.NOT_RUNNING, "no daemon of the hive at " + mount.place() + " runs any more");
        }
        return all;
    }

    @Override
    public boolean hasDaemons() {
        return true;
    }
}
