package org.beefs.cli.mounts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import org.beefs.common.linux.MountInfo;

/** What is mounted, as of one moment, and which of it are hives. Reading it never waits for who serves a mount. */
public final class MountTable {
    /** File system type of a mounted hive. */
    public static final String HIVE_TYPE = "fuse.beefs";

    private final MountInfo mounts;

    private MountTable(MountInfo mounts) {
        this.mounts = mounts;
    }

    /** The kernel's table as it is now. */
    public static MountTable read() {
        try {
            return new MountTable(MountInfo.read());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read what is mounted", e);
        }
    }

    /** Parses the form of /proc/PID/mountinfo (proc_pid_mountinfo(5)). */
    public static MountTable parse(String text) {
        return new MountTable(MountInfo.parse(text));
    }

    /** What is seen exactly at a path: the topmost, unless something is mounted over a folder above. */
    public Optional<MountInfo.Mount> at(Path path) {
        return mounts.at(path);
    }

    /**
     * Whether a file system, by the kernel's number for it, is mounted exactly at a path, though others may cover it.
     */
    public boolean holds(Path path, String device) {
        return mounts.mounts().stream()
                .anyMatch(mount -> mount.point().equals(path) && mount.device().equals(device));
    }

    /** Whether a hive is mounted exactly at a path that cannot be seen, because something else is mounted over it. */
    public boolean hidesHive(Path path) {
        return mounts.mounts().stream()
                .anyMatch(mount -> isHive(mount) && mount.point().equals(path) && !mounts.isSeen(mount));
    }

    /** Whether a hive is what is seen exactly at a path. */
    public boolean isHive(Path path) {
        return at(path).filter(MountTable::isHive).isPresent();
    }

    /** Where the hive is mounted that a path is in, or at. */
    public Optional<Path> hiveAbove(Path path) {
        return mounts.mounts().reversed().stream()
                .filter(mount -> isHive(mount) && path.startsWith(mount.point()) && mounts.isSeen(mount))
                .map(MountInfo.Mount::point)
                .findFirst();
    }

    private static boolean isHive(MountInfo.Mount mount) {
        return mount.type().equals(HIVE_TYPE);
    }
}
