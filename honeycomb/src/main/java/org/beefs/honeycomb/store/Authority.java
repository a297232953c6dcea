package org.beefs.honeycomb.store;

import com.google.protobuf.InvalidProtocolBufferException;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Capability;
import org.beefs.common.wire.ReplicaTarget;

/** Rights that a request needs, and whether its capability has them. */
enum Authority {
    /** Read content. */
    READ {
        @Override
        boolean grantedBy(Capability capability) {
            return capability.getRead();
        }
    },
    /** Change content or times. */
    WRITE {
        @Override
        boolean grantedBy(Capability capability) {
            return capability.getWrite();
        }
    },
    /** Look at size and times, which anybody may who can name the file: stat(2) needs no permission on it. */
    LOOK {
        @Override
        boolean grantedBy(Capability capability) {
            return true;
        }
    },
    /** Find holes, bring content to disk. */
    EITHER {
        @Override
        boolean grantedBy(Capability capability) {
            return capability.getRead() || capability.getWrite();
        }
    };

    abstract boolean grantedBy(Capability capability);

    /**
     * Fails with EACCES unless the target carries a capability for just this file, with this right; ESTALE for its
     * epoch; EINVAL when a change names the one version that it wants: that is served at any epoch, and is not to be
     * changed.
     */
    void check(ReplicaTarget target) {
        if (this == WRITE && target.getExactVersion() != 0) {
            throw new PosixException(
                    Errno.EINVAL, "a version of inode %d is to be changed".formatted(target.getInode()));
        }
        Capability capability = parse(target);
        if (capability.getInode() != target.getInode() || !grantedBy(capability)) {
            throw new PosixException(
                    Errno.EACCES,
                    "the capability does not allow to %s inode %d"
                            .formatted(this == WRITE ? "write" : "read", target.getInode()));
        }
        if (capability.getEpoch() != target.getEpoch()) {
            throw new PosixException(
                    Errno.ESTALE,
                    "the capability for inode %d is of epoch %d, the request of epoch %d"
                            .formatted(target.getInode(), capability.getEpoch(), target.getEpoch()));
        }
    }

    private static Capability parse(ReplicaTarget target) {
        if (target.getCapability().isEmpty()) {
            throw new PosixException(Errno.EACCES, "a request without capability for inode " + target.getInode());
        }
        try {
            return Capability.parseFrom(target.getCapability());
        } catch (InvalidProtocolBufferException e) {
            throw new PosixException(Errno.EACCES, "an unreadable capability for inode " + target.getInode());
        }
    }
}
