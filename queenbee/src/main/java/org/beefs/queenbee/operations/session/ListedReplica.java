package org.beefs.queenbee.operations.session;

import org.beefs.common.wire.ReplicaName;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.namespace.Inode;
import org.jspecify.annotations.Nullable;

/**
 * A replica that an inventory lists, beside what the hive knows of its file.
 *
 * @param name what the honeycomb says of it
 * @param inode its file; null when there is none
 * @param wasIssued whether this hive has given the inode's number out
 * @param honeycomb where it is
 */
record ListedReplica(ReplicaName name, @Nullable Inode inode, boolean wasIssued, Honeycomb honeycomb) {
    /** What it is to the hive. */
    enum Verdict {
        /** Its file was made by this hive and removed. */
        OF_REMOVED_FILE,
        /**
         * A secondary that the file does not have there, of a version that it has or had: it was chosen, and a power
         * failure took the end of the state; or the file has enough by now.
         */
        SUPERFLUOUS,
        /** A secondary that the file has there; maybe of another version than is known. */
        SECONDARY,
        /**
         * A secondary that the file has there, of a later version than the file's: the file has gone back, as nobody
         * knew of that one, or a power failure took the end of the state.
         */
        LATER,
        /**
         * The file has gone on without it, and it was changed since it was last known. Every move raises the epoch, so
         * another place at the same epoch is another file of that number, from a lost state.
         */
        IN_CONFLICT,
        /** Nothing that this hive knows: a later version or epoch is of a state that is lost. */
        UNKNOWN,
        /**
         * The primary, which says that it is an earlier version than the file has on disk there: no program has written
         * it, it was put back. It must not become the next version.
         */
        OLDER,
        /**
         * The primary of a file that nobody writes, with another content than is known, because that was lost with the
         * queen-bee's power or disk.
         */
        UNEXPECTED,
        /** The primary as it should be, or of a file that somebody may be writing. */
        EXPECTED
    }

    Verdict judge() {
        if (inode == null) {
            return wasIssued ? Verdict.OF_REMOVED_FILE : Verdict.UNKNOWN;
        }
        boolean ofThisFile = inode.isRegular() && inode.generation() == name.getGeneration();
        if (!ofThisFile) {
            return Verdict.UNKNOWN;
        }
        if (isKnownSecondary(inode)) {
            return inode.secondaries().has(honeycomb.number()) ? Verdict.SECONDARY : Verdict.SUPERFLUOUS;
        }
        if (isLaterSecondary(inode)) {
            return Verdict.LATER;
        }
        return isInConflict(inode) ? Verdict.IN_CONFLICT : judgePrimary(inode);
    }

    /** Whether it is as good as a secondary of a version that the file has or had, and the file's primary elsewhere. */
    private boolean isKnownSecondary(Inode file) {
        return (name.getSecondary() || isFormerPrimary(file))
                && name.getVersion() <= file.version()
                && Long.compareUnsigned(name.getEpoch(), file.epoch()) <= 0
                && file.honeycomb() != honeycomb.number();
    }

    private boolean isLaterSecondary(Inode file) {
        return name.getSecondary()
                && name.getVersion() > file.version()
                && Long.compareUnsigned(name.getEpoch(), file.epoch()) <= 0
                && file.secondaries().has(honeycomb.number());
    }

    /** Whether it has been the primary, and is one of the file's versions. */
    boolean isFormerPrimary(Inode file) {
        return name.getVersion() != 0 && Long.compareUnsigned(name.getEpoch(), file.epoch()) < 0;
    }

    private boolean isInConflict(Inode file) {
        return name.getVersion() == 0
                && name.getEpoch() != 0
                && Long.compareUnsigned(name.getEpoch(), file.epoch()) < 0;
    }

    private Verdict judgePrimary(Inode file) {
        if (file.honeycomb() != honeycomb.number()) {
            return Verdict.UNKNOWN;
        }
        if (file.dirty() || file.unsealed() || name.getVersion() == file.version()) {
            return Verdict.EXPECTED;
        }
        return name.getVersion() != 0 && name.getVersion() < file.version() ? Verdict.OLDER : Verdict.UNEXPECTED;
    }

    /** The version that it holds; what is rotten counts as nothing. */
    long held() {
        return name.getRotten() ? 0 : name.getVersion();
    }
}
