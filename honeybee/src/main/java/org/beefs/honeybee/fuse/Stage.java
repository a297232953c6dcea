package org.beefs.honeybee.fuse;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.beefs.common.linux.Libc;
import org.beefs.common.posix.Errno;
import org.beefs.honeybee.fuse.protocol.HiveRoot;
import org.beefs.honeybee.mount.MountOptions;
import org.beefs.honeybee.mount.OpenPlace;
import org.beefs.honeybee.mount.PrivateMounts;
import org.beefs.honeybee.mount.Umount;
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

    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int OPEN_TREE_CLONE = 1;
    private static final int O_CLOEXEC = 02000000;
    private static final int MOVE_MOUNT_F_EMPTY_PATH = 4;
    private static final int MOVE_MOUNT_T_EMPTY_PATH = 0x40;

    /** The name of the hive's root there, which the table of mounts shows. */
    private static final String NAME = "hive";

    private final OpenPlace place;

    /** The table of mounts in which the mount is made, at its place already; null where it is made for all to see. */
    private final @Nullable PrivateMounts aside;

    private Stage(OpenPlace place, @Nullable PrivateMounts aside) {
        this.place = place;
        this.aside = aside;
    }

    /** The stage for a mount that is to be seen at this empty directory. */
    static Stage of(OpenPlace place) {
        try {
            return new Stage(place, openFor(place.path()));
        } catch (IOException refused) {
            LOG.debug("the mount is made where it stays: {}", refused.toString());
            return new Stage(place, null);
        }
    }

    /**
     * Fails if this process may not take what is mounted to another place: that is tried, unseen, with what is at the
     * point now.
     */
    private static PrivateMounts openFor(Path point) throws IOException {
        PrivateMounts aside = PrivateMounts.open();
        try {
            aside.call(() -> {
                try (OpenPlace there = OpenPlace.open(point)) {
                    return show(copy(there), there);
                }
            });
            return aside;
        } catch (IOException refused) {
            aside.close();
            throw refused;
        }
    }

    /** A directory that is open is one of a table of mounts: it is opened anew where the mount is made aside. */
    NewMount mount(MountOptions options) throws IOException {
        if (aside == null) {
            return NewMount.at(place, options);
        }
        return aside.call(() -> {
            try (OpenPlace there = OpenPlace.open(place.path())) {
                return NewMount.at(there, options);
            }
        });
    }

    HiveRoot root() {
        return aside == null ? HiveRoot.ITSELF : HiveRoot.ENTRY;
    }

    /** Lets the mount be seen. It is being served. */
    void show() throws IOException {
        if (aside != null) {
            int tree = aside.call(() -> {
                try (OpenPlace hive = OpenPlace.open(place.path().resolve(NAME))) {
                    return copy(hive);
                }
            });
            aside.close();
            show(tree, place);
        }
    }

    /** Takes back a mount that has not been shown. */
    void undo() {
        if (aside == null) {
            Umount.byForce(place.path());
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
    private static int copy(OpenPlace from) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment itself = arena.allocateFrom("");
            int flags = OPEN_TREE_CLONE | O_CLOEXEC | AT_EMPTY_PATH;
            return check(Libc.openTree(from.descriptor(), itself, flags), from.path());
        }
    }

    /** Lets a copy be seen by this thread and all that see the same mounts. */
    private static int show(int copy, OpenPlace at) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment itself = arena.allocateFrom("");
            int flags = MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH;
            return check(Libc.moveMount(copy, itself, at.descriptor(), itself, flags), at.path());
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
