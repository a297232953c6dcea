package org.beefs.honeybee.mount;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import org.beefs.common.linux.Libc;
import org.beefs.common.posix.Errno;

/**
 * umount2(2), and libfuse's fusermount in its place for who is not root. All answer 0 or a negative errno. Stateless
 * and thread-safe.
 */
public final class Umount {
    private static final int MNT_FORCE = 1;
    private static final int MNT_DETACH = 2;
    private static final int UMOUNT_NOFOLLOW = 8;

    private Umount() {}

    /** Unmounts as umount(8) does: EBUSY while programs use it, and otherwise its pages are written first. */
    public static int politely(Path point) {
        return unmount(point, UMOUNT_NOFOLLOW);
    }

    /**
     * Unmounts at once, also while programs use it: their calls fail where root asks, otherwise they go on until they
     * let go.
     */
    public static int byForce(Path point) {
        return unmount(point, MNT_FORCE | MNT_DETACH | UMOUNT_NOFOLLOW);
    }

    private static int unmount(Path point, int flags) {
        int result = unmountThere(point.toAbsolutePath().normalize(), flags);
        return result == -Errno.EPERM.number() ? Fusermount.unmount(point, (flags & MNT_DETACH) != 0) : result;
    }

    /** A link on the way may lead to somebody else's mount: whoever owns a folder there can put one at any time. */
    private static int unmountThere(Path point, int flags) {
        Path above = point.getParent();
        if (above == null) {
            return -Errno.EINVAL.number();
        }
        try (OpenPlace folder = OpenPlace.open(above);
                Arena arena = Arena.ofConfined()) {
            Path opened = folder.opened().resolve(point.getFileName());
            return Libc.umount2(arena.allocateFrom(opened.toString()), flags);
        } catch (IOException missing) {
            return -Errno.ENOENT.number();
        }
    }
}
