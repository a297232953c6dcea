package org.beefs.queenbee.replication.placement;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.SequencedMap;
import org.beefs.common.collection.EldestFirst;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.ReplicaPlace;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.namespace.Inode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pairs of honeycombs of which one cannot reach the other, as failing copies tell: both may be connected with the
 * queen-bee, and a firewall or VPN between them. A file gets its replicas elsewhere then. In memory only. Belongs to
 * the namespace thread.
 */
public final class Unreached {
    /**
     * How long a honeycomb must have failed to reach another until it counts as cut off from it; before, the other may
     * just have left.
     */
    static final Duration PATIENCE = Duration.ofMinutes(1);

    /** So long after a failure it is tried again. */
    static final Duration MEMORY = Duration.ofMinutes(10);

    /** Pairs; the one that failed last longest ago goes first. */
    private static final int MOST = 4096;

    private static final Logger LOG = LoggerFactory.getLogger(Unreached.class);

    /** Numbers of honeycombs. */
    private record Pair(int from, int to) {}

    /** The first of the failures since the last success, and the last one (boot clock, ns). */
    private record Failures(long first, long last) {
        /** As long as copies are tried they fail more often than that; in between all may have been well. */
        boolean areOver(long now) {
            return now - last > 2 * MEMORY.toNanos();
        }

        boolean isLong() {
            return last - first >= PATIENCE.toNanos();
        }
    }

    private final Honeycombs honeycombs;
    private final Clock clock;
    private final SequencedMap<Pair, Failures> failing = EldestFirst.map(MOST);

    public Unreached(Honeycombs honeycombs, Clock clock) {
        this.honeycombs = honeycombs;
        this.clock = clock;
    }

    /** A honeycomb has reached none of these. */
    public void failed(Honeycomb from, Collection<ReplicaPlace> places) {
        for (ReplicaPlace place : places) {
            Honeycomb to = honeycombs.find(place.getHoneycomb());
            if (to != null) {
                failed(from, to);
            }
        }
    }

    private void failed(Honeycomb from, Honeycomb to) {
        Pair pair = new Pair(from.number(), to.number());
        long now = clock.bootNanos();
        Failures known = failing.get(pair);
        Failures before = known == null || known.areOver(now) ? new Failures(now, now) : known;
        Failures with = new Failures(before.first(), now);
        failing.putLast(pair, with);
        if (with.isLong() && !before.isLong()) {
            LOG.warn(
                    "{} cannot reach {} at {}: what lies only there gets its replicas on other desktops",
                    from.desktop(),
                    to.desktop(),
                    to.address());
        }
    }

    /** A honeycomb has copied from one of these places. From which is known only if there is no other. */
    public void reached(Honeycomb from, List<ReplicaPlace> places) {
        if (!failing.isEmpty() && places.size() == 1) {
            Honeycomb to = honeycombs.find(places.getFirst().getHoneycomb());
            if (to != null) {
                failing.remove(new Pair(from.number(), to.number()));
            }
        }
    }

    /** It has registered: it may be in another network now. */
    public void forget(Honeycomb honeycomb) {
        failing.keySet().removeIf(pair -> pair.from() == honeycomb.number() || pair.to() == honeycomb.number());
    }

    /**
     * Whether a honeycomb can copy a file from nobody who has its newest version. Costs nothing where all are reached.
     */
    public boolean keepsApart(Honeycomb from, Inode inode) {
        return !failing.isEmpty()
                && isUnreached(from.number(), inode.honeycomb())
                && inode.secondaries().current().allMatch(number -> isUnreached(from.number(), number));
    }

    private boolean isUnreached(int from, int to) {
        Failures failures = failing.get(new Pair(from, to));
        return failures != null && failures.isLong() && clock.bootNanos() - failures.last() < MEMORY.toNanos();
    }

    /** The desktops that one does not reach. */
    public List<String> from(Honeycomb honeycomb) {
        return failing.keySet().stream()
                .filter(pair -> pair.from() == honeycomb.number() && isUnreached(pair.from(), pair.to()))
                .map(pair -> honeycombs.numbered(pair.to()).desktop())
                .sorted()
                .toList();
    }
}
