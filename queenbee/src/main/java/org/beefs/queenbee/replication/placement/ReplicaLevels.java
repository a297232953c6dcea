package org.beefs.queenbee.replication.placement;

import java.util.stream.IntStream;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Secondaries;

/**
 * How many replicas files have of their newest versions, and how many they should have, by the desktops that there were
 * when this was made. Belongs to the namespace thread.
 */
public final class ReplicaLevels {
    private final Honeycombs honeycombs;
    private final Settings settings;
    private final long places;
    private final boolean someAreLost;

    public ReplicaLevels(Honeycombs honeycombs, Settings settings) {
        this.honeycombs = honeycombs;
        this.settings = settings;
        places = honeycombs.all().stream()
                .filter(honeycomb -> !honeycomb.absence().isGivenUp() && !honeycomb.isDraining())
                .map(Honeycomb::desktop)
                .distinct()
                .count();
        someAreLost = honeycombs.everRegistered().stream()
                .anyMatch(honeycomb -> honeycomb.absence().isGivenUp());
    }

    /** How many current replicas a file has, with the primary; those of lost desktops do not count. */
    public int current(Inode inode) {
        int secondaries = inode.dirty() ? 0 : inode.secondaries().countCurrent();
        return 1 + secondaries - lost(inode);
    }

    /** How many it should have, of those that the hive has desktops for. */
    public long wanted(Inode inode) {
        return Math.min(settings.replicas(inode), places);
    }

    /** Whether a file has content, and fewer current replicas than it should have. */
    public boolean isUnder(Inode inode) {
        return inode.version() != 0 && current(inode) < wanted(inode);
    }

    /**
     * How many of its primary and current secondaries are on lost desktops. They stay in the record of a file that has
     * no others.
     */
    private int lost(Inode inode) {
        if (!someAreLost) {
            return 0;
        }
        Secondaries secondaries = inode.secondaries();
        IntStream current = secondaries.proper().filter(number -> !inode.dirty() && secondaries.isCurrent(number));
        return (int) IntStream.concat(IntStream.of(inode.honeycomb()), current)
                .filter(number -> honeycombs.numbered(number).absence().isGivenUp())
                .count();
    }
}
