package org.beefs.cli.daemon;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.beefs.cli.daemon.PlacedMounts.Sight;
import org.beefs.cli.mounts.MountPlace;
import org.beefs.cli.mounts.MountRemoval;
import org.beefs.cli.mounts.MountTable;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.MountMemory;
import org.beefs.cli.state.Reasons;
import org.beefs.cli.state.WantedMount;
import org.beefs.common.metrics.Latencies.Reading;
import org.beefs.common.time.Clock;
import org.beefs.common.time.Timers;
import org.beefs.honeybee.driver.Drivers;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.hive.HiveFileSystem;
import org.beefs.honeybee.mount.Driver;
import org.beefs.honeybee.mount.Mount;
import org.beefs.honeybee.mount.MountOptions;
import org.beefs.honeybee.mount.RequestMeter.Opens;
import org.beefs.honeybee.stats.StatsFileSystem;
import org.beefs.honeybee.trace.Calls;
import org.beefs.honeybee.trace.TracedFileSystem;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mounts of this daemon, and the memory of them for the next start. Thread-safe; mounting and unmounting wait for
 * the kernel, one at a time.
 */
final class DesktopMounts implements AutoCloseable {
    /** Then what still uses the mount is cut off. Shorter than a tool waits for the answer. */
    private static final Duration POLITELY = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(DesktopMounts.class);

    private final MountMemory memory;
    private final FileSystems fileSystems;
    private final Clock clock;
    private final Stats stats;
    private final Calls calls;
    private final MountOptions options;
    private final Drivers drivers;

    /** Guarded by this. */
    private final PlacedMounts mounts;

    private volatile boolean closing;

    /** Makes the file system of one mount. */
    interface FileSystems {
        HiveFileSystem make(boolean readOnly);
    }

    /** Makes what users read of a mount. Does not wait. */
    interface Stats {
        String text(Path place, Instant since, String driver, Opens opens, SortedMap<String, Reading> times);
    }

    /**
     * @param mounts knows of none yet
     * @param calls knows what mounts are asked
     */
    DesktopMounts(
            PlacedMounts mounts,
            MountMemory memory,
            FileSystems fileSystems,
            Stats stats,
            Calls calls,
            MountOptions options,
            Clock clock,
            Timers timers) {
        this.mounts = mounts;
        this.memory = memory;
        this.fileSystems = fileSystems;
        this.stats = stats;
        this.calls = calls;
        this.options = options;
        this.clock = clock;
        this.drivers = Drivers.of(timers);
    }

    /** Where the hive is mounted now. Never waits. */
    List<String> list() {
        return List.copyOf(mounts.shown().keySet());
    }

    /** How often the kernel has asked for what, by mount. Never waits. */
    Map<String, Map<String, Long>> requests() {
        Map<String, Map<String, Long>> requests = new TreeMap<>();
        mounts.shown().forEach((path, mount) -> requests.put(path, mount.requests()));
        return requests;
    }

    /** How long answers to the kernel took, in all mounts since the daemon's start together. Never waits. */
    SortedMap<String, Reading> times() {
        return mounts.totals().times();
    }

    /** What was opened, likewise. Never waits. */
    Opens opens() {
        return mounts.totals().opens();
    }

    /**
     * Mounts where the daemon before this one had mounts. What cannot be mounted is logged, and tried again next time.
     */
    synchronized void restore() {
        for (WantedMount wanted : memory.list()) {
            try {
                requireNoLink(wanted.place());
                MountPlace.requireThere(wanted.place());
                mount(wanted);
            } catch (CommandFailure e) {
                LOG.warn("{}", Reasons.of(e));
            }
        }
    }

    /**
     * A remembered place is without symbolic links. One that is there now may be of whoever owns a folder on the way,
     * and lead to any folder of the system.
     */
    private static void requireNoLink(Path place) {
        Path real = MountPlace.resolve(place, MountTable.read());
        if (!real.equals(place)) {
            throw new CommandFailure(
                    ExitCode.FOLDER,
                    "cannot mount at %s again: a symbolic link leads to %s now; mount it there if that is meant"
                            .formatted(place, real));
        }
    }

    /** As {@link MountPlace#prepare}. */
    synchronized void prepare(Path path) {
        MountPlace.prepare(path);
    }

    /**
     * Mounts, and remembers it. Harmless where this daemon has such a mount already, unless that was taken from its
     * place and is only used to its end. Answers what the mount has to do without, if it is not root who mounts.
     */
    synchronized Optional<String> mount(WantedMount wanted) {
        return mounts.seenAt(wanted.place(), MountTable.read())
                .map(present -> same(present, wanted))
                .orElseGet(() -> add(wanted))
                .limits();
    }

    private Mount add(WantedMount wanted) {
        Path path = wanted.place();
        if (closing) {
            throw new CommandFailure(ExitCode.FAILED, "cannot mount at " + path + ": the daemon is stopping");
        }
        prepare(path);
        HiveFileSystem fileSystem = fileSystems.make(wanted.readOnly());
        fileSystem.learn();
        try {
            Mount mount = drivers.mount(path, served(path, fileSystem), optionsOf(wanted));
            mounts.put(path, mount, tableIfReadable());
            CompletableFuture<Void> end = mount.terminated().thenRun(() -> ended(path, mount, fileSystem));
            memory.add(wanted);
            LOG.info("mounted at {}{}", path, end.isDone() ? ", and unmounted again" : "");
            mount.limits().ifPresent(LOG::warn);
            return mount;
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, Reasons.of(e));
        }
    }

    /** A mount that was made is noted, although there may be no more files to open. */
    private static MountTable tableIfReadable() {
        try {
            return MountTable.read();
        } catch (UncheckedIOException e) {
            LOG.debug("what is mounted cannot be seen: {}", Reasons.of(e));
            return MountTable.parse("");
        }
    }

    private FileSystem served(Path path, HiveFileSystem fileSystem) {
        Instant now = clock.now();
        TracedFileSystem traced = new TracedFileSystem(fileSystem, fileSystem::inodeOf, calls);
        return new StatsFileSystem(traced, () -> stats(path, now), now);
    }

    private String stats(Path path, Instant since) {
        Mount mount = mounts.shown().get(path.toString());
        return mount == null
                ? stats.text(path, since, "not yet known", Opens.NONE, Collections.emptySortedMap())
                : stats.text(path, since, mount.service(), mount.opens(), mount.times());
    }

    private MountOptions optionsOf(WantedMount wanted) {
        Driver chosen = wanted.driver();
        return options.withReadOnly(wanted.readOnly())
                .withAllowOther(wanted.allowOther())
                .withDriver(chosen == null ? options.driver() : chosen);
    }

    /** Who names no driver is content with any. */
    private Mount same(Mount present, WantedMount wanted) {
        MountOptions asked = optionsOf(wanted);
        Driver serving = present.options().driver();
        if (!present.options().equals(wanted.driver() == null ? asked.withDriver(serving) : asked)) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "%1$s is mounted %2$s already: unmount it first (beefs umount %1$s)"
                            .formatted(wanted.path(), present.options().readOnly() ? "read-only" : "in another way"));
        }
        return present;
    }

    /**
     * Unmounts, and forgets it. Fails when programs use the mount, or something else is mounted over it. One that was
     * taken from its place already is only forgotten: what is at the place by now is not ours, and programs that use
     * the mount to its end are not cut off.
     */
    void umount(Path path) {
        @Nullable Mount mount;
        Sight sight;
        Optional<WantedMount> remembered;
        synchronized (this) {
            mount = mounts.at(path).orElse(null);
            sight = mounts.sight(path, MountTable.read());
            requireUncovered(path, sight);
            remembered = memory.at(path);
            memory.remove(path);
        }
        if (mount == null) {
            return;
        }
        if (sight == Sight.SEEN) {
            unmount(path, mount, remembered);
        }
        awaitEnd(mount);
    }

    private static void requireUncovered(Path path, Sight sight) {
        if (sight == Sight.COVERED) {
            throw MountRemoval.covered(path);
        }
    }

    private void unmount(Path path, Mount mount, Optional<WantedMount> remembered) {
        try {
            if (!MountRemoval.politely(path, POLITELY)) {
                mount.close();
            }
        } catch (CommandFailure e) {
            remembered.ifPresent(memory::add);
            throw e;
        }
    }

    private static void awaitEnd(Mount mount) {
        try {
            mount.terminated().get(POLITELY.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    mount.target()
                            + " is unmounted, but still in use: by programs that have files open there, or by a service"
                            + " or container with mounts of its own, which has got a copy of this one");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Unmounts all, also what is in use, and remembers them. All at once: each may take some seconds, and the daemon
     * has few.
     */
    @Override
    public void close() {
        closing = true;
        List<Mount> all;
        synchronized (this) {
            all = mounts.all();
        }
        List<Thread> ends = all.stream()
                .map(mount -> Thread.ofPlatform().name("unmount-at-end").start(mount::close))
                .toList();
        try {
            for (Thread end : ends) {
                end.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Called when the kernel has ended a mount, whoever wanted it. It stays remembered: a machine that shuts down
     * unmounts all too, perhaps before it ends its daemons, and that looks like somebody's umount(8).
     */
    private void ended(Path path, Mount mount, HiveFileSystem fileSystem) {
        fileSystem.releaseAll();
        synchronized (this) {
            mounts.remove(path, mount);
        }
    }
}
