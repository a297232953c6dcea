package org.beefs.queenbee.replication.departure;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.lease.Occasions;
import org.beefs.queenbee.lease.Wait;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.Sweep;
import org.jspecify.annotations.Nullable;

/**
 * Looks through all inodes for what they have in honeycombs that are away and are to be forgotten: some in each pass,
 * for all who have asked before it began. Nothing comes to one that is away, so what was found stays true, or becomes
 * less, until it connects. Belongs to the namespace thread.
 */
public final class RemainsSearch {
    private final Sweep sweep;
    private final Occasions occasions;

    /** Numbers of honeycombs that the next way is about. */
    private final Set<Integer> wanted = new HashSet<>();

    /** What the way under way has found so far, by number; so in the next. */
    private final Map<Integer, Remains> underWay = new HashMap<>();

    private final Map<Integer, Remains> found = new HashMap<>();

    public RemainsSearch(Namespace namespace, Occasions occasions) {
        this.occasions = occasions;
        sweep = new Sweep(namespace, this::look);
    }

    /**
     * What is in these honeycombs, answered once; null when it is not known yet: then the search has begun, or begins.
     */
    public @Nullable Remains take(List<Honeycomb> honeycombs) {
        List<Integer> numbers = honeycombs.stream().map(Honeycomb::number).toList();
        if (!found.keySet().containsAll(numbers)) {
            numbers.stream()
                    .filter(number -> !found.containsKey(number) && !underWay.containsKey(number))
                    .forEach(wanted::add);
            return null;
        }
        return numbers.stream().map(found::remove).reduce(Remains.NOTHING, Remains::plus);
    }

    /** A honeycomb is there again: what was found of it need not be true any more. */
    public void connected(Honeycomb honeycomb) {
        boolean wasWanted = wanted.remove(honeycomb.number());
        boolean wasUnderWay = underWay.remove(honeycomb.number()) != null;
        boolean wasFound = found.remove(honeycomb.number()) != null;
        if (wasWanted || wasUnderWay || wasFound) {
            occasions.arose(Wait.Occasion.SEARCHED);
        }
    }

    /** Whether a pass would look at any. */
    public boolean hasMore() {
        return !wanted.isEmpty() || sweep.isRunning();
    }

    /** Once in each pass. */
    public void step() {
        if (!sweep.isRunning() && !wanted.isEmpty()) {
            wanted.forEach(number -> underWay.put(number, Remains.NOTHING));
            wanted.clear();
            sweep.begin();
        }
        if (sweep.isRunning()) {
            sweep.hurry();
            sweep.step();
            end();
        }
    }

    private void end() {
        if (!sweep.isRunning()) {
            found.putAll(underWay);
            underWay.clear();
            occasions.arose(Wait.Occasion.SEARCHED);
        }
    }

    private void look(Inode inode) {
        if (inode.isRegular()) {
            underWay.computeIfPresent(inode.honeycomb(), (_, held) -> held.withPrimary(inode));
            inode.secondaries()
                    .honeycombs()
                    .forEach(number -> underWay.computeIfPresent(number, (_, held) -> held.withCopy(inode)));
        }
    }
}
