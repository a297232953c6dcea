package org.beefs.queenbee.hive;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;

/**
 * The requests by which honeycombs are told what waits in their {@link ErrandQueue}. For each honeycomb at most one
 * request of each kind is under way; what it names is told again until it is answered. A request that failed is
 * followed by one half as long, and what it named goes to the end of the queue: so one replica that always fails does
 * not keep others waiting for ever. Belongs to the namespace thread.
 */
public final class ErrandRequests {
    /** What a request is about. */
    public enum Kind {
        DROP,
        EXAMINE,
        SEAL,
        /** Make replicas the contents of other files. */
        ADOPT
    }

    /**
     * A request under way.
     *
     * @param number distinguishes requests that name the same replicas
     * @param inodes in the order of the request's replicas
     */
    public record Errand(long number, Honeycomb honeycomb, Kind kind, DesktopRequest request, List<Long> inodes) {}

    private final Namespace namespace;
    private final Honeycombs honeycombs;
    private final int batch;
    private final ErrandMaker maker;
    private final Map<Honeycomb, Map<Kind, Errand>> underWay = new HashMap<>();
    private final List<Errand> failed = new ArrayList<>();

    /** How many replicas the next request names where that is not the whole batch, because one has failed. */
    private final Map<Honeycomb, Map<Kind, Integer>> shortened = new HashMap<>();

    /**
     * @param batch replicas that one request names
     * @param sealDelay how long a version may wait before it is sealed, and others with it
     */
    public ErrandRequests(Namespace namespace, Honeycombs honeycombs, Clock clock, int batch, Duration sealDelay) {
        this.namespace = namespace;
        this.honeycombs = honeycombs;
        this.batch = batch;
        this.maker = new ErrandMaker(namespace, honeycombs, clock, sealDelay);
    }

    /**
     * Requests to be sent now; they count as under way. Asked in each pass, so honeycombs without errands must cost
     * little.
     */
    public List<Errand> begin() {
        maker.beginPass();
        List<Errand> begun = new ArrayList<>();
        for (Honeycomb honeycomb : honeycombs.all()) {
            if (honeycomb.isConnected() && !honeycomb.errandQueue().isEmpty()) {
                begin(honeycomb, begun);
            }
        }
        return begun;
    }

    /**
     * Whether somebody waits for what is told only when it is on disk.
     *
     * @param room whether somebody waits for room, which drops make
     */
    public boolean awaitsDisk(boolean room) {
        return maker.moveAwaitsDisk() || maker.adoptionAwaitsDisk() || (room && maker.dropAwaitsDisk());
    }

    /** The request was answered. False when it no longer counts, because the honeycomb has connected again since. */
    public boolean answered(Errand errand) {
        boolean counts = end(errand);
        if (counts) {
            lengthen(errand);
        }
        return counts;
    }

    private boolean end(Errand errand) {
        Map<Kind, Errand> mine = underWay.get(errand.honeycomb);
        return mine != null && mine.remove(errand.kind, errand);
    }

    private void lengthen(Errand errand) {
        Map<Kind, Integer> lengths = shortened.get(errand.honeycomb);
        if (lengths != null) {
            lengths.computeIfPresent(errand.kind, (kind, length) -> 2 * length < batch ? 2 * length : null);
        }
    }

    private void shorten(Errand errand) {
        shortened
                .computeIfAbsent(errand.honeycomb, h -> new EnumMap<>(Kind.class))
                .put(errand.kind, Math.max(1, errand.inodes.size() / 2));
    }

    private int length(Honeycomb honeycomb, Kind kind) {
        return shortened.getOrDefault(honeycomb, Map.of()).getOrDefault(kind, batch);
    }

    /** The request failed: it is made again after {@link #retry}. */
    public void failed(Errand errand) {
        Map<Kind, Errand> mine = underWay.getOrDefault(errand.honeycomb, Map.of());
        if (errand.equals(mine.get(errand.kind))) {
            failed.add(errand);
        }
    }

    /**
     * Lets what has failed be made again, and some of what could not be told be looked at. Called now and then, so that
     * a honeycomb that only refuses is asked seldom.
     */
    public void retry() {
        honeycombs.all().forEach(honeycomb -> honeycomb.errandQueue().drops().lookAgain(batch));
        failed.forEach(errand -> {
            if (end(errand)) {
                shorten(errand);
                takeBack(errand);
            }
        });
        failed.clear();
    }

    /** The session's honeycomb has connected anew: what was under way will not be answered. */
    public void restart(Honeycomb honeycomb) {
        Map<Kind, Errand> lost = underWay.remove(honeycomb);
        if (lost != null) {
            lost.values().forEach(this::takeBack);
        }
    }

    /** Puts what an errand names to the end of the queue. */
    private void takeBack(Errand errand) {
        Honeycomb honeycomb = errand.honeycomb;
        switch (errand.kind) {
            case DROP -> errand.inodes.forEach(honeycomb.errandQueue().drops()::postpone);
            case ADOPT -> errand.inodes.forEach(honeycomb.errandQueue().conflicts()::postpone);
            case EXAMINE -> honeycomb.errandQueue().examinations().addAll(errand.inodes);
            case SEAL ->
                errand.inodes.forEach(number -> {
                    Inode inode = namespace.find(number);
                    if (inode != null && inode.unsealed()) {
                        honeycombs.errandQueues().seal(inode);
                    }
                });
        }
    }

    private void begin(Honeycomb honeycomb, List<Errand> begun) {
        Map<Kind, Errand> mine = underWay.computeIfAbsent(honeycomb, h -> new EnumMap<>(Kind.class));
        for (Kind kind : Kind.values()) {
            if (!mine.containsKey(kind)) {
                Errand errand = maker.make(honeycomb, kind, length(honeycomb, kind));
                if (errand != null) {
                    mine.put(kind, errand);
                    begun.add(errand);
                }
            }
        }
    }
}
