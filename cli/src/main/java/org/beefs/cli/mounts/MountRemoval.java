package org.beefs.cli.mounts;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.Reasons;
import org.beefs.common.posix.Errno;
import org.beefs.honeybee.mount.MountProbe;
import org.beefs.honeybee.mount.Umount;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Unmounting a hive that nobody serves any more, or that is not served in time. */
public final class MountRemoval {
    private static final Logger LOG = LoggerFactory.getLogger(MountRemoval.class);

    /**
     * For half a second, well within what a tool waits for its daemon: who is just leaving, or copies all mounts for a
     * container that starts, uses a mount for no longer.
     */
    private static final int TRIES = 10;

    private static final Duration BETWEEN_TRIES = Duration.ofMillis(50);

    private MountRemoval() {}

    /**
     * Takes the mount away at once, whoever still uses it: their calls fail, and the kernel forgets the mount when they
     * are gone. All hives mounted over one another at the path go; fails if one is left under something else. Never
     * waits for the daemon.
     */
    public static void now(Path path) {
        MountTable table = MountTable.read();
        while (table.isHive(path)) {
            takeAway(path, table);
            table = MountTable.read();
        }
        if (table.hidesHive(path)) {
            throw covered(path);
        }
    }

    /** The kernel unmounts what is on top. */
    public static CommandFailure covered(Path path) {
        return new CommandFailure(
                ExitCode.FAILED,
                "something else is mounted over the hive at %s, or over a folder above it: unmount that first"
                        .formatted(path));
    }

    /**
     * Takes away what daemons that have ended left mounted there, and nothing that is served, or may be: another hive
     * may be mounted there by now. Waits for a daemon that does not answer for two seconds at most.
     */
    public static void leftovers(Path path) {
        MountTable table = MountTable.read();
        while (table.isHive(path) && isDead(path)) {
            takeAway(path, table);
            table = MountTable.read();
        }
    }

    private static boolean isDead(Path path) {
        try {
            return MountProbe.ask(path) == MountProbe.Daemon.ENDED;
        } catch (IOException e) {
            LOG.debug("{} is left mounted: {}", path, Reasons.of(e));
            return false;
        }
    }

    /** @param table as it was before */
    private static void takeAway(Path path, MountTable table) {
        int result = Umount.byForce(path);
        if (result == -Errno.EPERM.number()) {
            throw new CommandFailure(ExitCode.FAILED, "only root, and who has mounted it, can unmount " + path);
        } else if (result < 0 && !(result == -Errno.EINVAL.number() && isGone(path, table))) {
            throw new CommandFailure(ExitCode.FAILED, "cannot unmount " + path + ": " + Errno.of(-result));
        }
    }

    /** Whether somebody else has taken away what was seen there. */
    private static boolean isGone(Path path, MountTable before) {
        return !MountTable.read().at(path).equals(before.at(path));
    }

    /**
     * Unmounts as umount(8) does, which lets its daemon finish. Answers false when the daemon keeps the kernel waiting
     * for longer than the patience; fails when programs use the mount, and go on doing so.
     */
    public static boolean politely(Path path, Duration patience) {
        return politely(path, patience, () -> LockSupport.parkNanos(BETWEEN_TRIES.toNanos()));
    }

    /** @param pause what is done between two tries */
    static boolean politely(Path path, Duration patience, Runnable pause) {
        OptionalInt errno = tried(path, patience);
        for (int i = 1; i < TRIES && isInUse(errno); i++) {
            pause.run();
            errno = tried(path, patience);
        }
        if (isInUse(errno)) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    path + " is in use: leave it, close its files, or use  beefs umount --lazy " + path);
        }
        return errno.isPresent() && errno.getAsInt() <= 0;
    }

    private static boolean isInUse(OptionalInt errno) {
        return errno.isPresent() && errno.getAsInt() == Errno.EBUSY.number();
    }

    /** What the kernel says, at once if the mount is in use; empty when it says nothing within the patience. */
    private static OptionalInt tried(Path path, Duration patience) {
        CompletableFuture<Integer> result = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> result.complete(Umount.politely(path)));
        try {
            return OptionalInt.of(-result.get(patience.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return OptionalInt.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return OptionalInt.empty();
        }
    }
}
