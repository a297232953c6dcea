package org.beefs.queenbee.replication.fetch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.Fetches;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;

/**
 * Fetches that somebody waits for: a request for each file, beside those for others, and some at a time for each
 * honeycomb. Belongs to the namespace thread.
 */
public final class UrgentFetches {
    /** Requests that are under way with one honeycomb: fewer than the 64 that it takes, so that none is refused. */
    private static final int MOST = 48;

    private record Copy(Honeycomb honeycomb, long inode) {}

    private final Namespace namespace;
    private final FetchMaker maker;
    private final Clock clock;
    private final Duration patience;
    private final Duration deadline;
    private final Set<Copy> wanted = new LinkedHashSet<>();

    /** Requests by honeycomb, and then by inode. */
    private final Map<Honeycomb, Map<Long, FetchErrand>> underWay = new HashMap<>();

    private long lastNumber;

    /**
     * @param patience after which a honeycomb answers with what it has done, when that is on its disk
     * @param deadline for that answer
     */
    public UrgentFetches(Namespace namespace, FetchMaker maker, Clock clock, Duration patience, Duration deadline) {
        this.namespace = namespace;
        this.maker = maker;
        this.clock = clock;
        this.patience = patience;
        this.deadline = deadline;
    }

    /**
     * The honeycomb is to hold the file's newest version, or a checkpoint of it. One that is asked for it already is
     * not asked again.
     */
    public void add(Honeycomb honeycomb, long inode) {
        Copy copy = new Copy(honeycomb, inode);
        if (!of(honeycomb).containsKey(inode)) {
            wanted.add(copy);
        }
    }

    public boolean isUnderWay(long inode) {
        return underWay.values().stream().anyMatch(errands -> errands.containsKey(inode));
    }

    /**
     * Whether a honeycomb that is connected brings what has come of a file to its disk: its time to copy is over, and
     * that for its answer is not.
     */
    public boolean isBroughtToDisk(long inode) {
        return underWay.values().stream()
                .map(errands -> errands.get(inode))
                .anyMatch(errand -> errand != null && isBroughtToDisk(errand));
    }

    private boolean isBroughtToDisk(FetchErrand errand) {
        long age = clock.bootNanos() - errand.begun();
        return errand.honeycomb().isConnected() && age >= patience.toNanos() && age < deadline.toNanos();
    }

    /**
     * Requests to be sent now; they count as under way. Asked in each pass. What cannot be copied now is forgotten
     * here.
     */
    public List<FetchErrand> begin() {
        List<FetchErrand> begun = new ArrayList<>();
        Iterator<Copy> copies = wanted.iterator();
        while (copies.hasNext()) {
            Copy copy = copies.next();
            if (of(copy.honeycomb()).size() < MOST) {
                copies.remove();
                Inode inode = namespace.find(copy.inode());
                Fetch fetch =
                        inode == null || !copy.honeycomb().isConnected() ? null : maker.make(inode, copy.honeycomb());
                if (inode != null && fetch != null) {
                    begun.add(begin(copy, inode, fetch));
                }
            }
        }
        return begun;
    }

    private FetchErrand begin(Copy copy, Inode inode, Fetch fetch) {
        Fetches fetches = Fetches.newBuilder()
                .addFetches(fetch)
                .setPatienceMillis((int) patience.toMillis())
                .setUrgent(true)
                .build();
        FetchErrand errand = new FetchErrand(
                ++lastNumber, copy.honeycomb(), fetches, List.of(copy.inode()), inode.size(), clock.bootNanos());
        of(copy.honeycomb()).put(copy.inode(), errand);
        return errand;
    }

    private Map<Long, FetchErrand> of(Honeycomb honeycomb) {
        return underWay.computeIfAbsent(honeycomb, first -> new HashMap<>());
    }

    /** The request was answered, or has failed. False when that does not count any more. */
    public boolean ended(FetchErrand errand) {
        return of(errand.honeycomb()).remove(errand.inodes().getFirst(), errand);
    }

    /** The honeycomb has connected anew: what was under way will not be answered. */
    public void restart(Honeycomb honeycomb) {
        underWay.remove(honeycomb);
    }
}
