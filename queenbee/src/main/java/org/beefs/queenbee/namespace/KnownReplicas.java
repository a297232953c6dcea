package org.beefs.queenbee.namespace;

import java.util.OptionalInt;

/**
 * Takes replicas out of files that are in honeycombs which the hive does not have. Such a number was given to a desktop
 * in a time that the hive has given up, and may be given to another one any day.
 */
final class KnownReplicas {
    private final int honeycombs;

    private final int forBlanks;

    /**
     * @param honeycombs how many the hive has, which are numbered from 1
     * @param forBlanks number of one in which files have their place that have no content anywhere; 0 if there is none
     */
    KnownReplicas(int honeycombs, int forBlanks) {
        this.honeycombs = honeycombs;
        this.forBlanks = forBlanks;
    }

    /**
     * Leaves a file only those that are known. Where the primary is not, a current secondary takes its place, or else
     * the file goes back to what was secured.
     */
    NamespaceBuilder.Known keepIn(Inode inode) {
        if (!inode.isRegular() || inode.replicas().allMatch(this::isKnown)) {
            return NamespaceBuilder.Known.ALL;
        }
        for (int number : inode.secondaries.honeycombs().toArray()) {
            inode.secondaries = isKnown(number) ? inode.secondaries : inode.secondaries.without(number);
        }
        return isKnown(inode.honeycomb) || place(inode) || movePrimary(inode) || goBack(inode)
                ? NamespaceBuilder.Known.SOME
                : NamespaceBuilder.Known.NONE;
    }

    private boolean isKnown(int honeycomb) {
        return honeycomb >= 1 && honeycomb <= honeycombs;
    }

    /** False for a file that has content. */
    private boolean place(Inode file) {
        if (!file.isBlank() || forBlanks == 0) {
            return false;
        }
        file.secondaries = Secondaries.NONE;
        file.honeycomb = forBlanks;
        file.epoch++;
        return true;
    }

    /** False when no other one has the newest content. It is told that it has the primary after the start. */
    private static boolean movePrimary(Inode file) {
        OptionalInt heir = file.secondaries.current().findFirst();
        if (heir.isEmpty() || file.version == 0) {
            return false;
        }
        file.dirty = false; // what was written since is where nobody asks
        ReplicaChanges.movePrimary(file, heir.getAsInt(), file.epoch + 1);
        return true;
    }

    /** False when no other one has the version that was secured; what others are like is not known. */
    private static boolean goBack(Inode file) {
        SecuredVersion secured = file.secondaries.secured();
        if (secured == null) {
            return false;
        }
        OptionalInt heir = file.secondaries
                .honeycombs()
                .filter(number -> file.versionIn(number) == secured.version())
                .findFirst();
        if (heir.isEmpty()) {
            return false;
        }
        file.dirty = false;
        ReplicaChanges.goBack(file, heir.getAsInt(), file.epoch + 1);
        for (int number : file.secondaries.honeycombs().toArray()) {
            boolean newer = file.versionIn(number) > file.version;
            file.secondaries = newer ? file.secondaries.without(number) : file.secondaries;
        }
        return true;
    }
}
