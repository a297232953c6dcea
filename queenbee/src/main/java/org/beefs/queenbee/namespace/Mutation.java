package org.beefs.queenbee.namespace;

import com.google.protobuf.ByteString;
import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.ReplicaStatus;

/**
 * A change of the namespace, already checked and decided: all times, numbers and choices are in it, so that the same
 * mutations in the same order make the same namespace. Times are packed.
 */
public sealed interface Mutation {
    /**
     * Makes an inode with its first name. It gets the access control lists that the directory gives to what is made in
     * it.
     */
    record MakeInode(
            long parent, ByteString name, long cookie, long inode, Birth birth, ByteString target, FirstReplica replica)
            implements Mutation {}

    /**
     * Makes a regular file without a name, as if it were made in that directory; {@code linkable} if it may get one.
     */
    record MakeUnnamed(long parent, long inode, Birth birth, FirstReplica replica, boolean linkable)
            implements Mutation {}

    /** What every new inode has; {@code time} becomes all its times and the parent's mtime and ctime. */
    record Birth(int mode, int uid, int gid, int device, long time) {}

    /** Where a new regular file has its only replica, and whether it is born dirty. */
    record FirstReplica(int honeycomb, long epoch, boolean dirty) {
        /** For an inode without content. */
        public static final FirstReplica NONE = new FirstReplica(0, 0, false);
    }

    /** Gives a further name to an inode that is no directory, or the first to one that is linkable. */
    record AddLink(long parent, ByteString name, long cookie, long inode, long time) implements Mutation {}

    /** Takes a name from an inode that is no directory; the inode stays, perhaps without any name. */
    record RemoveLink(long parent, ByteString name, long time) implements Mutation {}

    /** Removes an empty directory. */
    record RemoveDirectory(long parent, ByteString name, long time) implements Mutation {}

    /** Moves a name. What had the new name loses it: an empty directory is gone, anything else loses one link. */
    record Move(long oldParent, ByteString oldName, long newParent, ByteString newName, long cookie, long time)
            implements Mutation {}

    /** Exchanges what two names stand for. */
    record Exchange(long firstParent, ByteString firstName, long secondParent, ByteString secondName, long time)
            implements Mutation {}

    /** Sets all of an inode's changeable attributes to these; mode without the type. */
    record ChangeAttributes(long inode, int permissions, int uid, int gid, long atime, long mtime, long ctime)
            implements Mutation {
        /** Sets the attributes to what they are, as a base for changes. */
        public static ChangeAttributes of(Inode inode) {
            return new ChangeAttributes(
                    inode.number(),
                    inode.mode() & FileMode.PERMISSIONS,
                    inode.uid(),
                    inode.gid(),
                    inode.atime(),
                    inode.mtime(),
                    inode.ctime());
        }

        public ChangeAttributes withPermissions(int other) {
            return new ChangeAttributes(inode, other, uid, gid, atime, mtime, ctime);
        }

        public ChangeAttributes withCtime(long other) {
            return new ChangeAttributes(inode, permissions, uid, gid, atime, mtime, other);
        }
    }

    /** Somebody has read it: sets nothing but atime. */
    record Access(long inode, long atime) implements Mutation {}

    record SetXattr(long inode, ByteString name, ByteString value, long time) implements Mutation {}

    record RemoveXattr(long inode, ByteString name, long time) implements Mutation {}

    /** A clean file becomes dirty. */
    record BeginWrite(long inode) implements Mutation {}

    /** A dirty file turns out not to be changed: it is clean again, with its version, which has to be sealed again. */
    record TakeBack(long inode) implements Mutation {}

    /**
     * A dirty file gets a new version, and becomes clean with it unless somebody goes on writing. A clean one's
     * honeycomb has yet to seal it.
     *
     * @param replicaMtime by which the primary replica is recognised as unchanged
     */
    record Commit(
            long inode,
            long version,
            long size,
            long blocks,
            long mtime,
            long ctime,
            long replicaMtime,
            boolean staysDirty)
            implements Mutation {
        /**
         * Makes what the primary replica looked like a version. One that was written has a ctime of its own, also where
         * clocks differ: by that a late change of the file is known to be overtaken.
         */
        public static Commit of(Inode inode, long version, ReplicaStatus seen, boolean staysDirty) {
            long replicaMtime = PackedTime.of(seen.getMtime());
            boolean untouched = seen.getUntouched() || isAsCommitted(inode, seen);
            return new Commit(
                    inode.number(),
                    version,
                    seen.getSize(),
                    seen.getBlocks(),
                    untouched ? inode.mtime() : replicaMtime,
                    untouched
                            ? inode.ctime()
                            : Math.max(PackedTime.next(inode.ctime()), PackedTime.of(seen.getCtime())),
                    replicaMtime,
                    staysDirty);
        }

        /**
         * Nobody has written since the last version: the inode's times may have been set by somebody, and not the
         * replica's.
         */
        private static boolean isAsCommitted(Inode inode, ReplicaStatus seen) {
            return inode.version() != 0
                    && seen.getSize() == inode.size()
                    && PackedTime.of(seen.getMtime()) == inode.committedMtime();
        }
    }

    /** The honeycomb has sealed the newest version, and has the primary if that was moved to it. */
    record ConfirmSeal(long inode) implements Mutation {}

    /**
     * A secondary replica is chosen, or found; or the one in that honeycomb holds another version now, 0 for none yet.
     */
    record SetSecondary(long inode, int honeycomb, long version) implements Mutation {}

    /** The secondary in that honeycomb is beyond those that the file should have from now on, or one of them. */
    record MarkExtra(long inode, int honeycomb, boolean extra) implements Mutation {}

    /** That honeycomb's replica is none of the file's any more. */
    record RemoveSecondary(long inode, int honeycomb) implements Mutation {}

    /**
     * A clean file's primary is the current secondary of that honeycomb from now on, which has yet to confirm it.
     *
     * @param keepsFormer whether the replica in the former primary's honeycomb is a current secondary now; otherwise it
     *     is none
     */
    record MovePrimary(long inode, int honeycomb, long epoch, boolean keepsFormer) implements Mutation {}

    /** A blank file has its place in that honeycomb from now on; nothing of it was anywhere. */
    record PlaceBlank(long inode, int honeycomb, long epoch) implements Mutation {}

    /**
     * Nothing is left of a clean file's newest version: it goes on as the last that was secured, whose secondary in
     * that honeycomb is its primary from now on, which has yet to confirm it. No other secondary holds a later one.
     */
    record GoBack(long inode, int honeycomb, long epoch) implements Mutation {}

    /** How a file, or what is made in a directory, is replicated from now on. */
    record SetReplication(long inode, ReplicationSettings settings, long time) implements Mutation {}

    /** An inode without names goes. */
    record Reap(long inode) implements Mutation {}

    /** A count of names that was wrong becomes what was counted. */
    record CorrectLinks(long inode, int links) implements Mutation {}

    /** What has no name, but should have, gets one. */
    record Rescue(long inode, long parent, ByteString name, long cookie, long time) implements Mutation {}
}
