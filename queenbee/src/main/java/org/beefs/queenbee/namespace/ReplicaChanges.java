package org.beefs.queenbee.namespace;

/** The mutations of a file's set of replicas. */
final class ReplicaChanges {
    private ReplicaChanges() {}

    static Secondaries set(Inode inode, Mutation.SetSecondary set) {
        Change.expect(inode.isRegular(), "cannot replicate inode", inode);
        Change.expect(set.honeycomb() != inode.honeycomb, "its primary replica is there: inode", inode);
        Change.expect(set.version() <= inode.version, "a secondary is newer than its file: inode", inode);
        return inode.secondaries.with(set.honeycomb(), lag(inode, set.version()));
    }

    /** What holds nothing yet is behind also where the file has no version. */
    private static long lag(Inode inode, long version) {
        return version == 0 ? Math.max(1, inode.version) : inode.version - version;
    }

    static void movePrimary(Inode inode, Mutation.MovePrimary move, Change change) {
        Change.expect(inode.isRegular() && !inode.dirty, "cannot move the primary of inode", inode);
        Change.expect(inode.secondaries.isCurrent(move.honeycomb()), "has no current secondary there: inode", inode);
        Change.expect(Long.compareUnsigned(move.epoch(), inode.epoch) > 0, "has had a later epoch: inode", inode);
        Secondaries others = inode.secondaries.without(move.honeycomb());
        inode.secondaries = move.keepsFormer() ? others.with(inode.honeycomb, 0) : others;
        inode.honeycomb = move.honeycomb();
        inode.epoch = move.epoch();
        inode.unsealed = true;
        inode.moving = true;
        change.touched(inode);
    }

    static Secondaries remove(Inode inode, Mutation.RemoveSecondary remove) {
        Change.expect(inode.secondaries.has(remove.honeycomb()), "has no such secondary: inode", inode);
        return inode.secondaries.without(remove.honeycomb());
    }
}
