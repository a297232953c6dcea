package org.beefs.honeycomb.store;

import com.google.protobuf.ByteString;
import org.beefs.common.wire.Capability;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaTarget;

/** Targets with capabilities as the queen-bee makes them. */
public final class Targets {
    public static final long EPOCH = 1L << 32;

    private Targets() {}

    /** May do all; the replica need not exist. */
    public static ReplicaTarget target(long inode) {
        return target(inode, EPOCH, 0, capability(inode, EPOCH, true, true));
    }

    /** May do all; the replica must exist. */
    public static ReplicaTarget committed(long inode, long version) {
        return target(inode, EPOCH, version, capability(inode, EPOCH, true, true));
    }

    public static ReplicaTarget ofEpoch(long inode, long epoch) {
        return target(inode, epoch, 0, capability(inode, epoch, true, true));
    }

    public static ReplicaTarget readOnly(long inode) {
        return target(inode, EPOCH, 0, capability(inode, EPOCH, true, false));
    }

    public static ReplicaTarget writeOnly(long inode) {
        return target(inode, EPOCH, 0, capability(inode, EPOCH, false, true));
    }

    public static ReplicaTarget target(long inode, long epoch, long version, ByteString capability) {
        return ReplicaTarget.newBuilder()
                .setInode(inode)
                .setEpoch(epoch)
                .setVersion(version)
                .setCapability(capability)
                .build();
    }

    public static ByteString capability(long inode, long epoch, boolean read, boolean write) {
        return Capability.newBuilder()
                .setInode(inode)
                .setEpoch(epoch)
                .setRead(read)
                .setWrite(write)
                .build()
                .toByteString();
    }

    public static ReplicaName name(long inode) {
        return ReplicaName.newBuilder().setInode(inode).setEpoch(EPOCH).build();
    }
}
