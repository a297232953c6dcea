package org.beefs.simulator.model;

import org.beefs.common.wire.Credentials;

/** A user, as the model checks permissions. */
public record Actor(Credentials credentials) {
    public static final int READ = 4;
    public static final int WRITE = 2;
    public static final int EXECUTE = 1;

    public static Actor of(int uid, int gid, Integer... groups) {
        return new Actor(Credentials.newBuilder()
                .setUid(uid)
                .setGid(gid)
                .addAllGroups(java.util.List.of(groups))
                .build());
    }

    boolean isRoot() {
        return credentials.getUid() == 0;
    }

    boolean owns(ModelNode node) {
        return isRoot() || credentials.getUid() == node.uid;
    }

    boolean isIn(int group) {
        return credentials.getGid() == group || credentials.getGroupsList().contains(group);
    }

    boolean may(ModelNode node, int mask) {
        if (isRoot()) {
            return (mask & EXECUTE) == 0 || node.isDirectory() || (node.mode & 0111) != 0;
        }
        int shift = credentials.getUid() == node.uid ? 6 : isIn(node.gid) ? 3 : 0;
        return ((node.mode >> shift) & mask) == mask;
    }

    /** Whether the sticky bit keeps this user from removing an entry. */
    boolean stuck(ModelNode directory, ModelNode entry) {
        return (directory.mode & 01000) != 0
                && !isRoot()
                && credentials.getUid() != entry.uid
                && credentials.getUid() != directory.uid;
    }
}
