package org.beefs.honeybee.fuse;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.beefs.common.linux.Libc;
import org.beefs.common.posix.Errno;
import org.beefs.honeybee.fuse.protocol.HiveRoot;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The place where a mount is made before it is seen. Linux makes the root of a FUSE file system before it has agreed
 * with the driver on access control lists, and never keeps that directory's list: whoever is not its owner would have
 * it asked for with each path. So the hive's root is an entry of that directory, and it alone is taken to the mount's
 * place. Without the right to do so, and on kernels before 5.2, a mount is made where it stays.
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

    /** The name of the hive's root there, which the table of mounts shows. */
    private static final String NAME = "hive";

    private final Path point;

    /** The table of mounts in which the mount is made, at its place already; null where it is made for all to see. */
    private final @Nullable PrivateMounts aside;

    private Stage(Path point, @Nullable PrivateMounts aside) {
        this.point = point;
        this.aside = aside;
    }

    /** The stage for a mount that is to be seen at this empty directory. */
    static Stage of(Path point) {
        try {
            return new Stage(point, openFor(point));
        } catch (IOException refused) {
            LOG.debug("the mount is made where it stays: {}", refused.toString());
            return new Stage(point, null);
        }
    }

    /**
     * Fails if this process may not take what is mounted to another place: that is tried, unseen, with what is at the
     * point now.
     */
    private static PrivateMounts openFor(Path point) throws IOException {
        PrivateMounts aside = PrivateMounts.open();
        try {
            aside.call(() -> show(copy(point), point));
            return aside;
        } catch (IOException refused) {
            aside.close();
            throw refused;
        }
    }

    KernelMount.Mounted mount(FuseOptions options) throws IOException {
        return aside == null ? KernelMount.mount(point, options) : aside.call(() -> KernelMount.mount(point, options));
    }

    HiveRoot root() {
        return aside == null ? HiveRoot.ITSELF : HiveRoot.ENTRY;
    }

    /** Lets the mount be seen. It is being served. */
    void show() throws IOException {
        if (aside != null) {
            int tree = aside.call(() -> copy(point.resolve(NAME)));
            aside.close();
            show(tree, point);
        }
    }

    /** Takes back a mount that has not been shown. */
    void undo() {
        if (aside == null) {
            Umount.byForce(point);
        }
        close();
    }

    /** Leaves nothing behind. Nothing is mounted here. */
    void close() {
        if (aside != null) {
            aside.close();
        }
    }

    /**
     * Copies what is mounted at a directory, from there on. Answers a descriptor by which the copy lasts for as long as
     * it is seen nowhere.
     */
    private static int copy(Path from) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom(from.toString());
            return check(Libc.openTree(AT_FDCWD, path, OPEN_TREE_CLONE | O_CLOEXEC), from);
        }
    }

    /** Lets a copy be seen by this thread and all that see the same mounts. */
    private static int show(int copy, Path at) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment all = arena.allocateFrom("");
            MemorySegment target = arena.allocateFrom(at.toString());
            return check(Libc.moveMount(copy, all, AT_FDCWD, target, MOVE_MOUNT_F_EMPTY_PATH), at);
        } finally {
            Libc.close(copy);
        }
    }

    private static int check(int result, Path point) throws IOException {
        if (result < 0) {
            throw new IOException("cannot mount at " + point + ": " + Errno.of(-result));
        }
        return result;
    }
}
