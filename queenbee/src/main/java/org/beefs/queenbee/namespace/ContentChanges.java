package org.beefs.queenbee.namespace;

/** The mutations of a regular file's content state. */
final class ContentChanges {
    private ContentChanges() {}

    static void beginWrite(Inode inode, Change change) {
        Change.expect(inode.isRegular(), "cannot begin to write inode", inode);
        change.setDirty(inode, true);
        change.touched(inode);
    }

    /**
     * Makes a dirty file clean that was not changed. The version has to be sealed again: its honeycomb has taken it off
     * the replica before anybody could write that, and does not put it back by itself.
     */
    static void takeBack(Inode inode, Change change) {
        change.setDirty(inode, false);
        inode.unsealed = inode.version != 0;
        change.touched(inode);
    }

    static void commit(Inode inode, Mutation.Commit commit, Change change) {
        Change.expect(commit.version() > inode.version, "has a newer version: inode", inode);
        if (!commit.staysDirty()) {
            change.setDirty(inode, false);
            inode.unsealed = true;
        }
        inode.secondaries = secondariesOf(inode, commit.staysDirty()).behindBy(commit.version() - inode.version);
        inode.version = commit.version();
        inode.size = commit.size();
        inode.blocks = commit.blocks();
        inode.mtime = commit.mtime();
        inode.committedMtime = commit.replicaMtime();
        inode.ctime = commit.ctime();
        change.touched(inode);
    }

    /**
     * The secondaries of a file that gets a new version. They are what is left of the version that was the newest until
     * now, should the next one be lost; a checkpoint can be before it is anybody's replica. A version that was not on
     * enough honeycombs is better than an earlier one that was, when nobody has that any more.
     */
    private static Secondaries secondariesOf(Inode inode, boolean checkpoint) {
        if (!inode.promises() && !checkpoint) {
            return inode.secondaries.securedBy(null);
        }
        boolean isLatest = inode.isElsewhere() || (inode.secondaries.countCurrent() > 0 && !inode.canGoBack());
        return isLatest ? inode.secondaries.securedBy(SecuredVersion.of(inode)) : inode.secondaries;
    }

    static void confirmSeal(Inode inode, Change change) {
        inode.unsealed = false;
        inode.moving = false;
        change.touched(inode);
    }
}
