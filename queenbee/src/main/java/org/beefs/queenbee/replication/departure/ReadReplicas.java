package org.beefs.queenbee.replication.departure;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.namespace.ExtraReplicas;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.ReplicationSettings;
import org.beefs.queenbee.namespace.Secondaries;
import org.beefs.queenbee.replication.placement.Targets;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a desktop that has read a remote file whole gets an extra replica of it. These take no more than
 * their share of a honeycomb: the one that came first makes room for the next. Belongs to the namespace thread.
 */
public final class ReadReplicas {
    /** Extra replicas that one honeycomb is to fetch; what is read meanwhile stays where it is. */
    static final int MOST_COMING = 64;

    /**
     * Extra replicas that are looked at to make room for one; those that cannot go now are looked at again when all
     * others were.
     */
    private static final int MOST_TRIED = 16;

    private final Namespace namespace;
    private final Targets targets;
    private final Departures departures;
    private final int percent;

    /** Files whose extra replicas a honeycomb had not fetched when it was looked at last. */
    private final Map<Honeycomb, Set<Long>> coming = new HashMap<>();

    /** @param percent of what a honeycomb can hold; 0 for no extra replicas */
    public ReadReplicas(Namespace namespace, Targets targets, Departures departures, int percent) {
        this.namespace = namespace;
        this.targets = targets;
        this.departures = departures;
        this.percent = percent;
    }

    /** Whether the file is to get an extra replica there now; if so, there is room for it. */
    public boolean admit(Inode inode, Honeycomb reader) {
        boolean admitted = percent > 0
                && !inode.dirty()
                && inode.secondaries().size() + 1 < ReplicationSettings.MOST_REPLICAS
                && targets.canTake(reader, inode)
                && hasTurn(reader)
                && makeRoom(inode.space(), reader);
        if (admitted) {
            coming.computeIfAbsent(reader, first -> new HashSet<>()).add(inode.number());
        }
        return admitted;
    }

    private boolean hasTurn(Honeycomb reader) {
        Set<Long> files = coming.getOrDefault(reader, Set.of());
        if (files.size() >= MOST_COMING) {
            files.removeIf(number -> !isComing(namespace.find(number), reader));
        }
        return files.size() < MOST_COMING;
    }

    private static boolean isComing(@Nullable Inode inode, Honeycomb reader) {
        Secondaries secondaries = inode == null ? Secondaries.NONE : inode.secondaries();
        return secondaries.isExtra(reader.number()) && !secondaries.isCurrent(reader.number());
    }

    private boolean makeRoom(long bytes, Honeycomb reader) {
        long share = reader.usable() / 100 * percent;
        ExtraReplicas extras = namespace.extras();
        for (int tried = 0; bytes <= share && tried <= MOST_TRIED; tried++) {
            Long oldest = extras.oldest(reader.number());
            if (oldest == null || extras.bytes(reader.number()) + bytes <= share) {
                return true;
            }
            Inode inode = namespace.find(oldest);
            if (inode == null || !departures.letGoExtra(inode, reader)) {
                extras.renew(reader.number(), oldest);
            }
        }
        return false;
    }
}
