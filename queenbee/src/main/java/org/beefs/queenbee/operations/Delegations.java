package org.beefs.queenbee.operations;

import java.util.ArrayList;
import java.util.List;
import org.beefs.queenbee.lease.Leases;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.ReplicationSettings;
import org.beefs.queenbee.session.Session;

/**
 * What desktops may change before they ask: what they have made, and directories in which nobody but they change names.
 */
public final class Delegations {
    /** How many entries of a directory are looked at for files whose names may be removed. */
    private static final int MOST_NAMES = 128;

    /** The same with marks of removed entries, which cost little: behind a first entry that stays there may be many. */
    private static final int MOST_PLACES = 1024;

    /** Stop looking after this many already-delegated files: the session is removing others. */
    private static final int MOST_HELD = 8;

    /**
     * How many names a session has removed from a directory, one after the other, when it seems to go on with all
     * others. Without the delegation, look ahead at every eighth removal only.
     */
    private static final int EMPTIES = 8;

    private final Leases leases;

    public Delegations(QueenState state) {
        leases = state.leases();
    }

    /**
     * Delegates an inode to the session that has just made it; false when that cannot be. What is replicated otherwise
     * than the hive has it is not delegated, because a desktop could not tell how what it makes there has to be.
     */
    public boolean grant(Request made, Inode inode) {
        return isOrdinary(inode)
                && leases.delegate(made.session(), inode, made.body().hasDecision());
    }

    /** As {@link #grant} where the directory is delegated too: what is made where others look is looked at soon. */
    public boolean grantWithin(Inode directory, Request made, Inode inode) {
        return (made.body().hasDecision() || leases.hasDelegation(made.session(), directory)) && grant(made, inode);
    }

    /**
     * Delegates a directory that is there already to the session that has just changed a name in it; false when that
     * cannot be.
     */
    boolean grantToChanger(Session changer, Inode directory) {
        return isOrdinary(directory) && leases.delegateToChanger(changer, directory);
    }

    /**
     * Delegates files, so that their names may be removed or changed, in a directory that the session has just removed
     * or changed a name in, and holds the delegation of: of those that come first in its listings, as who empties a
     * directory goes on with these. What others know of them is recalled once it seems to be emptied, so that the next
     * call delegates them, or their removal waits for nobody.
     *
     * @param takenOut whether something is in the directory no more
     * @return their numbers
     */
    List<Long> grantNames(Session remover, Inode directory, boolean takenOut) {
        boolean delegated = leases.hasDelegation(remover, directory);
        boolean empties = takenOut && seemsToEmpty(remover, directory, delegated);
        if (!delegated && !empties) {
            return List.of();
        }
        List<Long> granted = new ArrayList<>();
        List<Inode> others = new ArrayList<>();
        for (Inode file : firstFiles(directory, remover)) {
            if (delegated && leases.delegateFile(remover, file)) {
                granted.add(file.number());
            } else if (empties) {
                others.add(file);
            }
        }
        leases.recallAhead(remover, others);
        return granted;
    }

    /** Counts a removal. True when the session seems to remove the rest as well, and this is the time to look ahead. */
    private static boolean seemsToEmpty(Session remover, Inode directory, boolean delegated) {
        int taken = remover.removals().take(directory.number());
        return taken >= EMPTIES && (delegated || taken % EMPTIES == 0);
    }

    /** The first files of a directory that have one name and are not delegated to the session yet. */
    private List<Inode> firstFiles(Inode directory, Session remover) {
        List<Inode> files = new ArrayList<>();
        int[] left = {MOST_NAMES};
        int[] held = {MOST_HELD};
        directory.directory().visitFirst(MOST_PLACES, entry -> {
            Inode inode = entry.inode();
            if (leases.hasDelegation(remover, inode)) {
                held[0]--;
            } else if (!inode.isDirectory() && inode.links() == 1) {
                files.add(inode);
            }
            return --left[0] > 0 && held[0] > 0;
        });
        return files;
    }

    private static boolean isOrdinary(Inode inode) {
        return inode.replication().equals(ReplicationSettings.DEFAULT);
    }
}
