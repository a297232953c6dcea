package org.beefs.queenbee.namespace;

import java.util.OptionalInt;

/**
 * Takes replicas out of files that are in honeycombs which the hive does not have. Such a number was given to a desktop
 * in a time that the hive has given up, and may be given to another one any day.
 */
final class KnownReplicas {
    private final int honeycombs;

    /** @param honeycombs how many the hive has, which are numbered from 1 */
    KnownReplicas(int honeycombs) {
        this.honeycombs = honeycombs;
    }

    /** Leaves a file only those that are known. Where the primary is not, a current secondary takes its place. */
    NamespaceBuilder.Known keepIn(Inode inode) {
        if (!inode.isRegular() || inode.replicas().allMatch(this::isKnown)) {
            return NamespaceBuilder.Known.ALL;
        }
        for (int number : inode.secondaries.honeycombs().toArray()) {
            inode.secondaries = isKnown(number) ? inode.secondaries : inode.secondaries.without(number);
        }
        return isKnown(inode.honeycomb) || movePrimary(inode)
                ? NamespaceBuilder.Known.SOME
                : NamespaceBuilder.Known.NONE;
    }

    private boolean isKnown(int honeycomb) {
        return honeycomb >= 1 && honeycomb <= honeycombs;
    }

    /** False when no other one has content. It is told that it has the primary after the start. */
    private static boolean movePrimary(Inode file) {
        OptionalInt heir = file.secondaries.current().findFirst();
        if (heir.isEmpty() || file.version == 0) {
            return false;
        }
        file.honeycomb = heir.getAsInt();
        file.secondaries = file.secondaries.without(file.honeycomb);
        file.epoch++;
        file.dirty = false; // what was written since is where nobody asks
        file.unsealed = true;
        file.moving = true;
        return true;
    }
}
