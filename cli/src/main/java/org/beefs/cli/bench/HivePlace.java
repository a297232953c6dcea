package org.beefs.cli.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
import org.beefs.cli.state.Reasons;
import org.beefs.cli.state.WantedMount;
import org.beefs.honeybee.mount.Driver;

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

    /**
     * By mounting it anew: what the daemon and the kernel keep for a mount goes with it. On another thread, because who
     * is interrupted would leave it unmounted.
     */
    @Override
    public void dropCaches() throws IOException, InterruptedException {
        try {
            CompletableFuture.runAsync(this::mountAnew, Thread::startVirtualThread)
                    .join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof CommandFailure failure ? failure : e;
        }
        caches.drop();
    }

    private void mountAnew() {
        ControlClient daemon = new ControlClient(desktop);
        try {
            daemon.umount(mount.place(), ANSWER);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.FAILED, "cannot unmount " + mount.path() + " to drop its caches: " + Reasons.of(e));
        } finally {
            mountAgain(daemon);
        }
    }

    /** Harmless where it is mounted still. */
    private void mountAgain(ControlClient daemon) {
        try {
            daemon.mount(mount, ANSWER);
        } catch (IOException | CommandFailure e) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "the hive was unmounted at %1$s and could not be mounted again: %2$s; do it with  beefs mount %3$s%1$s --desktop %4$s --state %5$s"
                            .formatted(
                                    mount.path(),
                                    Reasons.of(e),
                                    options(),
                                    desktop.name(),
                                    desktop.path().getParent()));
        }
    }

    private String options() {
        Driver driver = mount.driver();
        return (mount.readOnly() ? "--read-only " : "")
                + (mount.allowOther() ? "--allow-other " : "")
                + (driver == null ? "" : "--driver " + driver.name().toLowerCase(Locale.ROOT) + " ");
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
