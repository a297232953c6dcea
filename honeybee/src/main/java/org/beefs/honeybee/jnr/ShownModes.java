package org.beefs.honeybee.jnr;

import com.google.protobuf.ByteString;
import org.beefs.common.posix.AccessControlList;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.beefs.honeybee.filesystem.FileSystem;

/**
 * The modes of directories with access control lists, as the kernel is to see them: it goes by the mode alone, whose
 * group bits are the mask, and nobody else asks whether a caller may search a directory on his way. So the group bits
 * are shown as what the owning group may. Stateless.
 */
final class ShownModes {
    private static final Credentials ROOT = Credentials.getDefaultInstance();
    private static final int GROUP = 070;

    private final FileSystem fileSystem;

    ShownModes(FileSystem fileSystem) {
        this.fileSystem = fileSystem;
    }

    /** The mode to show, with the type. */
    int of(Call call, Attributes attributes) {
        int mode = attributes.getMode();
        if (!FileMode.isDirectory(mode) || (mode & GROUP) == 0) {
            return mode;
        }
        ByteString list = accessList(call, attributes.getInode());
        return list.isEmpty()
                ? mode
                : (mode & ~GROUP) | (AccessControlList.of(list).owningGroup() << 3);
    }

    /**
     * The mode that is meant by one who sets this mode: where he leaves the group's rights as shown, the mask stays.
     */
    int meant(Call call, Attributes present, int asked) {
        boolean left = ((of(call, present) ^ asked) & GROUP) == 0;
        return left ? (asked & ~GROUP) | (present.getMode() & GROUP) : asked;
    }

    /**
     * The directory's access control list, which lies in the daemon's cache beside the attributes that were just looked
     * up; empty when there is none.
     */
    private ByteString accessList(Call call, long inode) {
        try {
            return call.await(fileSystem.getXattr(ROOT, inode, AccessControlList.ACCESS));
        } catch (PosixException failure) {
            if (failure.errno() == Errno.ENODATA) {
                return ByteString.EMPTY;
            }
            throw failure;
        }
    }
}
