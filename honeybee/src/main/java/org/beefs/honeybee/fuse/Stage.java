package org.beefs.honeybee.fuse;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.common.linux.Libc;
import org.beefs.common.posix.Errno;
import org.beefs.honeybee.fuse.protocol.HiveRoot;
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
            // The table of mounts has no symbolic links.
            Stage aside =
                    new Stage(point, Files.createTempDirectory("beefs-mount").toRealPath());
            if (aside.isOfUse()) {
                return aside;
            }
            aside.close();
        } catch (IOException failure) {
            LOG.debug("no mount can be made aside: {}", failure.toString());
        }
        return new Stage(point, point);
    }

    /** Whether this process may take what is mounted to another place: tried with what is at the point now. */
    private boolean isOfUse() {
        try {
            showAlso(point, place);
            Umount.lazily(place);
            return true;
        } catch (IOException refused) {
            LOG.debug("the mount is made where it stays: {}", refused.toString());
            return false;
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
        if (isAside()) {
            showAlso(place.resolve(NAME), point);
            Umount.lazily(place);
            close();
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

    /** Lets what is mounted at one directory, from there on, be seen at another one too. */
    private static void showAlso(Path from, Path to) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            int tree = Libc.openTree(AT_FDCWD, arena.allocateFrom(from.toString()), OPEN_TREE_CLONE | O_CLOEXEC);
            check(tree, to);
            try {
                MemorySegment all = arena.allocateFrom("");
                MemorySegment target = arena.allocateFrom(to.toString());
                check(Libc.moveMount(tree, all, AT_FDCWD, target, MOVE_MOUNT_F_EMPTY_PATH), to);
            } finally {
                Libc.close(tree);
            }
        }
    }

    private static void check(int result, Path point) throws IOException {
        if (result < 0) {
            throw new IOException("cannot mount at " + point + ": " + Errno.of(-result));
        }
    }
}
