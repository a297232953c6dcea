package org.beefs.queenbee.namespace;

/** The mutations of a file's set of replicas. */
final class ReplicaChanges {
    private ReplicaChanges() {}

    static Secondaries set(Inode inode, Mutation.SetSecondary set) {
        Change.expect(inode.isRegular(), "cannot replicate inode", inode);
        Change.expect(set.honeycomb() != inode.honeycomb, "its primary replica is there: inode", inode);
        Change.expect(set.version() <= inode.version, "a secondary is newer than its file: inode", inode);
        return inode.secondaries.with(set.honeycomb(), inode.version - set.version());
    }

    static Secondaries remove(Inode inode, Mutation.RemoveSecondary remove) {
        Change.expect(inode.secondaries.has(remove.honeycomb()), "has no such secondary: inode", inode);
        return inode.secondaries.without(remove.honeycomb());
    }
}
