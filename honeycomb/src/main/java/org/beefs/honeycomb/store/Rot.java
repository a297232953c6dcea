package org.beefs.honeycomb.store;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListSet;
import org.beefs.common.posix.PosixException;
import org.beefs.honeycomb.catalog.Catalog;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replicas whose content is not what it was. The mark on the file, and in the catalog, says so until another file takes
 * their place, also over restarts; what carries it is not served, and not removed here. Thread-safe.
 */
public final class Rot {
    private static final Logger LOG = LoggerFactory.getLogger(Rot.class);

    private final Catalog catalog;

    /** Rotten replicas that are known, with some that are not any more. At most one for each replica. */
    private final NavigableSet<ReplicaId> known = new ConcurrentSkipListSet<>();

    Rot(Catalog catalog) {
        this.catalog = catalog;
    }

    /** Remembers a replica that was found to be marked earlier. */
    public void remember(ReplicaId id) {
        known.add(id);
    }

    /** At most {@code limit} rotten replicas after that one, as the catalog has them; null begins. */
    public List<ReplicaDescription> list(@Nullable ReplicaId after, int limit) {
        List<ReplicaDescription> rotten = new ArrayList<>();
        for (ReplicaId id : after == null ? known : known.tailSet(after, false)) {
            if (rotten.size() == limit) {
                break;
            }
            find(id).ifPresentOrElse(rotten::add, () -> forget(id));
        }
        return rotten;
    }

    /** Forgets a replica, unless it is marked at the same time. */
    private void forget(ReplicaId id) {
        known.remove(id);
        if (find(id).isPresent()) {
            known.add(id);
        }
    }

    /** The number of rotten replicas, perhaps with some that are not any more, and were not listed since. */
    public int count() {
        return known.size();
    }

    private Optional<ReplicaDescription> find(ReplicaId id) {
        return Optional.ofNullable(catalog.find(id)).filter(ReplicaDescription::getRotten);
    }

    /**
     * Marks a replica; needs its exclusive order. Fails, and nothing is marked, when the catalog does not take it: what
     * it does not have would be reported by nobody.
     *
     * @param is what it is, but for the mark
     * @param file what was read; null when there is none
     * @param why for people, as the end of a sentence
     */
    void mark(Replica replica, ReplicaDescription is, @Nullable ReplicaFile file, String why) {
        ReplicaDescription rotten = is.toBuilder().setRotten(true).build();
        write(rotten, file, why);
        replica.says(rotten);
    }

    /** As {@link #mark}, for a replica that cannot be opened. */
    void write(ReplicaDescription rotten, @Nullable ReplicaFile file, String why) {
        ReplicaId id = ReplicaId.of(rotten);
        catalog.put(rotten);
        LOG.error("{} {}; it is not served any more, and another desktop's takes its place if there is one", id, why);
        known.add(id);
        try {
            if (file != null) {
                file.describe(rotten);
            }
        } catch (PosixException e) {
            LOG.warn("{} cannot be marked as rotten on its file: {}", id, e.getMessage());
        }
    }
}
