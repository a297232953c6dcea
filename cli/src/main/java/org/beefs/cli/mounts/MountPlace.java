package org.beefs.cli.mounts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.Reasons;
import org.beefs.honeybee.mount.MountPoint;

/**
 * Finds the name under which the kernel lists a mount point, without ever looking into a mounted hive: nobody may be
 * serving it, and then whoever looks hangs. Besides, finds out whether a hive can be mounted there.
 */
public final class MountPlace {
    /** As many as the kernel follows. */
    private static final int MAX_LINKS = 40;

    private MountPlace() {}

    /**
     * The absolute path without symbolic links; of what is in or at a mounted hive only the part above it is resolved.
     */
    public static Path resolve(Path given, MountTable table) {
        Path path = given.toAbsolutePath().normalize();
        for (int links = 0; links <= MAX_LINKS; links++) {
            if (path.getParent() == null || table.hiveAbove(path).isPresent()) {
                return path;
            }
            path = withRealParent(path, table);
            if (table.hiveAbove(path).isPresent() || !Files.isSymbolicLink(path)) {
                return path;
            }
            path = target(path);
        }
        throw new CommandFailure(ExitCode.FOLDER, given + " is a chain of too many symbolic links");
    }

    /**
     * Fails for a place inside of a mounted hive: all desktops would see the folder that is made for the mount, and
     * each start would wait for whoever serves that hive.
     */
    public static void requireOutside(Path path, MountTable table) {
        Optional<Path> hive = table.hiveAbove(path).filter(_ -> !table.isHive(path));
        if (hive.isPresent()) {
            throw new CommandFailure(
                    ExitCode.FOLDER,
                    "cannot mount at %s: it is in the hive that is mounted at %s; name a folder outside of it"
                            .formatted(path, hive.get()));
        }
    }

    /** Makes the folder for a mount that is to come, and fails with what would keep the mount from being made. */
    public static void prepare(Path path) {
        MountTable table = MountTable.read();
        requireOutside(path, table);
        if (table.at(path).isEmpty()) {
            create(path);
        }
        try {
            MountPoint.prepare(path);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FOLDER, Reasons.of(e));
        }
    }

    /**
     * Fails if there is no such folder. The disk that it is on may be missing: a folder that was made in its place
     * would be hidden when that comes, and the mount with it.
     */
    public static void requireThere(Path path) {
        if (MountTable.read().at(path).isEmpty() && !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new CommandFailure(
                    ExitCode.FOLDER,
                    "cannot mount at %1$s again: there is no such folder; if it is on a disk, mount that first, then  beefs mount %1$s"
                            .formatted(path));
        }
    }

    private static void create(Path path) {
        try {
            Files.createDirectories(path);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FOLDER, "cannot mount at " + path + ": " + Reasons.ofMaking(e));
        }
    }

    private static Path withRealParent(Path path, MountTable table) {
        Path parent = path.getParent();
        Path name = path.getFileName();
        if (parent == null || name == null) {
            return path;
        }
        return resolve(parent, table).resolve(name);
    }

    private static Path target(Path link) {
        try {
            return link.resolveSibling(Files.readSymbolicLink(link)).normalize();
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FOLDER, "cannot follow " + link + ": " + Reasons.of(e));
        }
    }
}
