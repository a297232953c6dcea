package org.beefs.queenbee.hive;

import org.beefs.common.wire.Adoption;
import org.beefs.common.wire.ReplicaName;
import org.beefs.queenbee.journal.Numbering;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.state.ConflictRecord;

/**
 * A replica with changes of a file that has moved on without it. Its honeycomb makes it the content of another file,
 * which gets a name when that is done.
 *
 * @param inode the file whose replica it is
 * @param generation of that replica
 * @param epoch of that replica
 * @param copy number of the file that it becomes; nobody knows it yet
 * @param copyEpoch epoch of that file
 * @param mode of the file whose replica it is, with its type, in case that is gone when the copy is made; without the
 *     group's rights where an access control list told them
 * @param uid likewise
 * @param gid likewise
 * @param change the journal sequence of that decision; 0 when it was on disk at the start, and until it is written down
 */
public record ConflictCopy(
        long inode, int generation, long epoch, long copy, long copyEpoch, int mode, int uid, int gid, long change) {
    /** In the mode of a file with an access control list, the mask, and not what the owning group may. */
    private static final int GROUP_RIGHTS = 070;

    /** Reserves the number of the file that it becomes. */
    public static ConflictCopy reserve(ReplicaName replica, Inode inode, Namespace namespace, Numbering numbering) {
        long copy = numbering.after(namespace.highestOwn());
        namespace.raiseHighest(copy);
        return new ConflictCopy(
                replica.getInode(),
                replica.getGeneration(),
                replica.getEpoch(),
                copy,
                numbering.base(),
                inode.accessList().isEmpty() ? inode.mode() : inode.mode() & ~GROUP_RIGHTS,
                inode.uid(),
                inode.gid(),
                0);
    }

    /** It is written down with that change. */
    ConflictCopy decidedBy(long sequence) {
        return new ConflictCopy(inode, generation, epoch, copy, copyEpoch, mode, uid, gid, sequence);
    }

    Adoption toAdoption() {
        return Adoption.newBuilder()
                .setFrom(ReplicaName.newBuilder()
                        .setInode(inode)
                        .setGeneration(generation)
                        .setEpoch(epoch))
                .setTo(ReplicaName.newBuilder().setInode(copy).setEpoch(copyEpoch))
                .build();
    }

    ConflictRecord toRecord() {
        return ConflictRecord.newBuilder()
                .setGeneration(generation)
                .setEpoch(epoch)
                .setCopy(copy)
                .setCopyEpoch(copyEpoch)
                .setMode(mode)
                .setUid(uid)
                .setGid(gid)
                .build();
    }

    static ConflictCopy of(long inode, ConflictRecord record) {
        return new ConflictCopy(
                inode,
                record.getGeneration(),
                record.getEpoch(),
                record.getCopy(),
                record.getCopyEpoch(),
                record.getMode(),
                record.getUid(),
                record.getGid(),
                0);
    }
}
