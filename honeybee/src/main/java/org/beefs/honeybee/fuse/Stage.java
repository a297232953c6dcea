package org.beefs.honeybee.fuse;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.common.linux.Libc;
import org.beefs.common.posix.Errno;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a mount is made before it is seen. Linux makes the root of a FUSE file system before it has agreed with the
 * driver on access control lists, and never keeps that directory's list: whoever is not its owner would have it asked
 * for with each path. So the hive's root is an entry of that directory, and it alone is taken to the mount's place.
 * Without the right to do so, and on kernels before 5.2, a mount is made where it stays.
 *
 * <p>Used by one thread.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/move_mount.2.html">move_mount(2)</a>
 */
final class Stage {
    private static final Logger LOG = LoggerFactory.getLogger(Stage.class);

    private static final int AT_FDCWD = -100;
    private static final int OPEN_TREE_CLONE = 1;
    private static final int O_CLOEXEC = 02000000;
    private static final int MOVE_MOUNT_F_EMPTY_PATH = 4;

    /** What the hive's root is called there, which the table of mounts shows. */
    private static final String NAME = "hive";

    private final Path point;
    private final Path place;

    private Stage(Path point, Path place) {
        this.point = point;
        this.place = place;
    }

    /** For a mount that is to be seen at that empty directory. */
    static Stage of(Path point) {
        try {
            Libc.close(cloneOf(point));
            // The table of mounts has no symbolic links.
            return new Stage(point, Files.createTempDirectory("beefs-mount").toRealPath());
        } catch (IOException refused) {
            LOG.debug("the mount is made where it stays: {}", refused.toString());
            return new Stage(point, point);
        }
    }

    /** Where the mount is to be made. */
    Path place() {
        return place;
    }

    HiveRoot root() {
        return isAside() ? HiveRoot.ENTRY : HiveRoot.ITSELF;
    }

    /** Lets the mount be seen. It is being served. */
    void show() throws IOException {
        if (!isAside()) {
            return;
        }
        int tree = cloneOf(place.resolve(NAME));
        try {
            Umount.lazily(place);
            close();
            move(tree);
        } finally {
            Libc.close(tree);
        }
    }

    /** Takes back a mount that has not been shown. */
    void undo() {
        Umount.byForce(place);
        close();
    }

    /** Leaves nothing behind. Nothing is mounted here any more. */
    void close() {
        if (!isAside()) {
            return;
        }
        try {
            Files.deleteIfExists(place);
        } catch (IOException failure) {
            LOG.info("{} cannot be removed: {}", place, failure.toString());
        }
    }

    private boolean isAside() {
        return !place.equals(point);
    }

    private void move(int tree) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            int result = Libc.moveMount(
                    tree,
                    arena.allocateFrom(""),
                    AT_FDCWD,
                    arena.allocateFrom(point.toString()),
                    MOVE_MOUNT_F_EMPTY_PATH);
            if (result < 0) {
                throw new IOException("cannot mount at " + point + ": " + Errno.of(-result));
            }
        }
    }

    /**
     * A descriptor of what is mounted there, from that directory on, mounted nowhere; it ends with the descriptor if it
     * is not moved anywhere.
     */
    private static int cloneOf(Path directory) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            int tree = Libc.openTree(AT_FDCWD, arena.allocateFrom(directory.toString()), OPEN_TREE_CLONE | O_CLOEXEC);
            if (tree < 0) {
                throw new IOException("cannot take " + directory + " to another place: " + Errno.of(-tree));
            }
            return tree;
        }
    }
}
