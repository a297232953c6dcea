package org.beefs.queenbee.operations.file;

import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.LockMode;
import org.beefs.common.wire.LockOwner;
import org.beefs.common.wire.LockRange;
import org.beefs.queenbee.lock.Mode;
import org.beefs.queenbee.lock.Owner;
import org.beefs.queenbee.lock.Range;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.session.Session;

/** Reads what requests say about locks. */
final class LockMessages {
    private LockMessages() {}

    static Owner owner(Session session, LockOwner owner) {
        Owner.Kind kind = owner.getFlock() ? Owner.Kind.FLOCK : Owner.Kind.RECORD;
        return new Owner(session.number(), owner.getMount(), owner.getId(), kind);
    }

    static Range range(LockRange range) {
        if (range.getStart() < 0 || range.getEnd() < range.getStart()) {
            throw new PosixException(
                    Errno.EINVAL, "no range of bytes: %d to %d".formatted(range.getStart(), range.getEnd()));
        }
        return new Range(range.getStart(), range.getEnd());
    }

    static Mode mode(LockMode mode) {
        return switch (mode) {
            case SHARED -> Mode.SHARED;
            case EXCLUSIVE -> Mode.EXCLUSIVE;
            case UNLOCKED, UNRECOGNIZED -> throw new PosixException(Errno.EINVAL, "no mode of a lock: " + mode);
        };
    }

    /** Locks on directories and special files are the kernel's own business. */
    static void checkType(Inode inode) {
        if (!inode.isRegular()) {
            throw new PosixException(Errno.EINVAL, "inode " + inode.number() + " is no regular file");
        }
    }
}
