package org.beefs.queenbee.namespace;

import java.util.Objects;

/** The mutations of a file's set of replicas. */
final class ReplicaChanges {
    private ReplicaChanges() {}

    static Secondaries set(Inode inode, Mutation.SetSecondary set) {
        Change.expect(inode.isRegular(), "cannot replicate inode", inode);
        Change.expect(set.honeycomb() != inode.honeycomb, "its primary replica is there: inode", inode);
        Change.expect(set.version() <= inode.version, "a secondary is newer than its file: inode", inode);
        inode.secondaries = inode.secondaries.with(set.honeycomb(), lag(inode, set.version()));
        return inode.isElsewhere() ? inode.secondaries.securedBy(null) : inode.secondaries;
    }

    static Secondaries mark(Inode inode, Mutation.MarkExtra mark) {
        Change.expect(inode.secondaries.has(mark.honeycomb()), "has no such secondary: inode", inode);
        inode.secondaries = inode.secondaries.marked(mark.honeycomb(), mark.extra());
        return inode.isElsewhere() ? inode.secondaries.securedBy(null) : inode.secondaries;
    }

    /** By how much a replica is behind; one that holds nothing yet is behind also where the file has no version. */
    private static long lag(Inode inode, long version) {
        return version == 0 ? Math.max(1, inode.version) : inode.version - version;
    }

    static void movePrimary(Inode inode, Mutation.MovePrimary move, Change change) {
        Change.expect(inode.isRegular() && !inode.dirty, "cannot move the primary of inode", inode);
        Change.expect(inode.secondaries.isCurrent(move.honeycomb()), "has no current secondary there: inode", inode);
        Change.expect(Long.compareUnsigned(move.epoch(), inode.epoch) > 0, "has had a later epoch: inode", inode);
        int former = inode.honeycomb;
        movePrimary(inode, move.honeycomb(), move.epoch());
        if (move.keepsFormer()) {
            inode.secondaries = inode.secondaries.with(former, 0);
        }
        change.touched(inode);
    }

    /** A current secondary becomes the primary, and the former one is no replica any more. */
    static void movePrimary(Inode inode, int honeycomb, long epoch) {
        inode.secondaries = inode.secondaries.without(honeycomb);
        inode.honeycomb = honeycomb;
        inode.epoch = epoch;
        inode.unsealed = true;
        inode.moving = true;
    }

    static void placeBlank(Inode inode, Mutation.PlaceBlank place, Change change) {
        Change.expect(inode.isBlank(), "has content: inode", inode);
        Change.expect(inode.secondaries.size() == 0, "has secondaries: inode", inode);
        Change.expect(Long.compareUnsigned(place.epoch(), inode.epoch) > 0, "has had a later epoch: inode", inode);
        inode.honeycomb = place.honeycomb();
        inode.epoch = place.epoch();
        change.touched(inode);
    }

    static void goBack(Inode inode, Mutation.GoBack back, Change change) {
        SecuredVersion secured = Objects.requireNonNull(inode.secondaries.secured());
        boolean isThere = inode.versionIn(back.honeycomb()) == secured.version();
        Change.expect(isThere && !inode.dirty, "has no secured version there: inode", inode);
        Change.expect(Long.compareUnsigned(back.epoch(), inode.epoch) > 0, "has had a later epoch: inode", inode);
        goBack(inode, back.honeycomb(), back.epoch());
        change.touched(inode);
    }

    /** The file goes on as the version that was secured, which that honeycomb has. */
    static void goBack(Inode inode, int honeycomb, long epoch) {
        SecuredVersion secured = Objects.requireNonNull(inode.secondaries.secured());
        inode.secondaries = inode.secondaries
                .without(honeycomb)
                .behindBy(secured.version() - inode.version)
                .securedBy(null);
        inode.version = secured.version();
        inode.size = secured.size();
        inode.blocks = secured.blocks();
        inode.mtime = secured.mtime();
        inode.committedMtime = secured.committedMtime();
        inode.honeycomb = honeycomb;
        inode.epoch = epoch;
        inode.unsealed = true;
        inode.moving = true;
    }

    static Secondaries remove(Inode inode, Mutation.RemoveSecondary remove) {
        Change.expect(inode.secondaries.has(remove.honeycomb()), "has no such secondary: inode", inode);
        return inode.secondaries.without(remove.honeycomb());
    }
}
