package org.beefs.queenbee.operations;

import java.util.ArrayList;
import java.util.List;
import org.beefs.queenbee.lease.Leases;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.ReplicationSettings;
import org.beefs.queenbee.session.Session;

/** What desktops may change before they ask: what they have made, and directories in which nobody but they change names. */
final class Delegations {
    /** Entries of a directory that are looked at for files whose names may be removed. */
    private static final int MOST_NAMES = 128;

    private final Leases leases;

    Delegations(QueenState state) {
        leases = state.leases();
    }

    /**
     * Delegates an inode to the session that has just made it; false when that cannot be. What is replicated otherwise than the hive has it is
     * not delegated, because a desktop could not tell how what it makes there has to be.
     */
    boolean grant(Request made, Inode inode) {
        return isOrdinary(inode)
                && leases.delegate(made.session(), inode, made.body().hasDecision());
    }

    /** As {@link #grant} where the directory is delegated too: what is made where others look is looked at soon. */
    boolean grantWithin(Inode directory, Request made, Inode inode) {
        return (made.body().hasDecision() || leases.hasDelegation(made.session(), directory)) && grant(made, inode);
    }

    /** Delegates a directory that is there already to the session that has just changed a name in it; false when that cannot be. */
    boolean grantToChanger(Session changer, Inode directory) {
        return isOrdinary(directory) && leases.delegateToChanger(changer, directory);
    }

    /**
     * Delegates files, so that their names may be removed, in a directory that the session holds the delegation of: of those that come first in its listings, as who empties
     * a directory goes on with these. Their numbers.
     */
    List<Long> grantNames(Session remover, Inode directory) {
        List<Long> granted = new ArrayList<>();
        int[] left = {MOST_NAMES};
        directory.directory().visit(0, entry -> {
            Inode inode = entry.inode();
            if (!inode.isDirectory() && inode.links() == 1 && leases.delegateFile(remover, inode)) {
                granted.add(inode.number());
            }
            return --left[0] > 0;
        });
        return granted;
    }

    private static boolean isOrdinary(Inode inode) {
        return inode.replication().equals(ReplicationSettings.DEFAULT);
    }
}
