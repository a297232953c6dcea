package org.beefs.queenbee.content;

import java.util.HashSet;
import java.util.Set;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.PackedTime;
import org.beefs.queenbee.replication.Replication;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides what becomes of a dirty file when nobody writes it any more. */
public final class Commits {
    private static final Logger LOG = LoggerFactory.getLogger(Commits.class);

    private final Mutator mutator;
    private final Honeycombs honeycombs;
    private final Replication replication;

    /**
     * Dirty files whose mtime somebody has set: an unchanged mtime says nothing of their content. Those whose mtime was
     * set before the queen-bee's start are not known.
     */
    private final Set<Long> retimed = new HashSet<>();

    public Commits(Mutator mutator, Honeycombs honeycombs, Replication replication) {
        this.mutator = mutator;
        this.honeycombs = honeycombs;
        this.replication = replication;
    }

    /**
     * Commits the next version if the replica shows a change since the last one; otherwise the file is clean as before.
     */
    void decide(Inode inode, ReplicaStatus status) {
        if (!status.getExists() && inode.version() != 0) {
            LOG.warn(
                    "inode {} lost its replica on {}; its content is gone",
                    inode.number(),
                    honeycombs.of(inode).desktop());
        }
        boolean mayHideChanges = retimed.remove(inode.number());
        if (isChanged(inode, status, mayHideChanges)) {
            long version = replication.checkpoints().nextVersion(inode);
            mutator.apply(Mutation.Commit.of(inode, version, status, false));
            replication.upkeep().committed(inode);
        } else {
            mutator.apply(new Mutation.TakeBack(inode.number()));
            replication.checkpoints().ended(inode.number());
        }
        if (inode.unsealed()) {
            honeycombs.errandQueues().seal(inode);
        }
    }

    /** Somebody has set the mtime of a dirty file. */
    void retimed(Inode inode) {
        retimed.add(inode.number());
    }

    /** The file is clean without a decision. */
    void takenBack(Inode inode) {
        retimed.remove(inode.number());
        replication.checkpoints().ended(inode.number());
    }

    /** The file is gone. */
    void forget(Inode inode) {
        retimed.remove(inode.number());
        replication.removed(inode.number());
    }

    private static boolean isChanged(Inode inode, ReplicaStatus status, boolean mayHideChanges) {
        if (!status.getExists()) {
            return false;
        }
        return mayHideChanges
                || inode.version() == 0
                || status.getVersion() > inode.version() // of a lost state: another content, and cannot be sealed
                || status.getSize() != inode.size()
                || PackedTime.of(status.getMtime()) != inode.committedMtime();
    }
}
