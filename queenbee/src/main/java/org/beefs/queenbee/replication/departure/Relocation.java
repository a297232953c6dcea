package org.beefs.queenbee.replication.departure;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Consumer;
import org.beefs.common.config.ByteSize;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.hive.SplitMix;
import org.beefs.queenbee.hive.WaterMarks;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.Sweep;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes room in honeycombs that are short of it, in rounds: going through the namespace shows what can leave; the best
 * of that is chosen, and has left when the round is over. Then the honeycomb reports its space, and if that does not
 * suffice another round begins; at once when somebody waits for room. Belongs to the namespace thread.
 */
public final class Relocation {
    /** Replicas that one round moves out of one honeycomb at most. */
    private static final int MOST = 1024;

    /** A round that takes longer ends all the same: what could not leave by then is not waited for. */
    private static final Duration LONGEST_ROUND = Duration.ofMinutes(10);

    /** Pause before a honeycomb from which nothing could leave is looked at again. */
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(Relocation.class);

    /**
     * What a replica is to its file, in the order in which they go. Nobody misses an extra one, and for a secondary
     * nobody has to be promoted.
     */
    private enum Kind {
        EXTRA,
        SECONDARY,
        PRIMARY
    }

    /**
     * A replica that could leave.
     *
     * @param rank what is lower leaves first
     */
    private record Candidate(long inode, Kind kind, long rank, long bytes) {}

    private static final Comparator<Candidate> FIRST_TO_GO =
            Comparator.comparing(Candidate::kind).thenComparingLong(Candidate::rank);

    private final Namespace namespace;
    private final Honeycombs honeycombs;
    private final WaterMarks marks;
    private final Departures departures;
    private final ChosenReplicas chosen;
    private final Relief relief;
    private final Clock clock;
    private final boolean atRandom;
    private final Duration settling;
    private final Consumer<Inode> look;
    private final Sweep sweep;

    /** When the present search has begun (boot clock, ns). */
    private long searched;

    /** Candidates that the present search has found, the last to go at the head; by number of the honeycomb. */
    private final Map<Integer, PriorityQueue<Candidate>> found = new HashMap<>();

    /** Honeycombs that have something which can leave only when it is on its primary's disk; by number. */
    private final Set<Integer> unsettled = new HashSet<>();

    /** When the round of a honeycomb ends at the latest (boot clock, ns); only of those that have one. */
    private final Map<Honeycomb, Long> rounds = new HashMap<>();

    /** When a honeycomb's replicas are looked through again at the earliest, unless a writer waits (boot clock, ns). */
    private final Map<Honeycomb, Long> notBefore = new HashMap<>();

    /** Honeycombs of which the log says already that nothing can leave them. */
    private final Set<Honeycomb> told = new HashSet<>();

    /**
     * @param atRandom whether it is chance what leaves first; otherwise what was used longest ago
     * @param settling after which a honeycomb has told what the end of a round has changed
     * @param look has done soon what can be done about a file's replicas
     */
    public Relocation(
            Namespace namespace,
            Honeycombs honeycombs,
            WaterMarks marks,
            Departures departures,
            Relief relief,
            Clock clock,
            boolean atRandom,
            Duration settling,
            Consumer<Inode> look) {
        this.namespace = namespace;
        this.honeycombs = honeycombs;
        this.marks = marks;
        this.departures = departures;
        this.chosen = departures.forRoom();
        this.relief = relief;
        this.clock = clock;
        this.atRandom = atRandom;
        this.settling = settling;
        this.look = look;
        this.sweep = new Sweep(namespace, this::consider);
    }

    /** Called now and then. */
    public void tick() {
        List.copyOf(rounds.keySet()).forEach(this::goOn);
        if (!sweep.isRunning()) {
            begin();
        }
        sweep.tick();
        if (relief.isAwaited()) {
            sweep.hurry();
        }
    }

    /** Whether a pass would find out more of what can leave. */
    public boolean hasMore() {
        return sweep.hasMore();
    }

    /** Once in each pass. */
    public void step() {
        if (sweep.hasMore()) {
            sweep.step();
            if (!sweep.isRunning()) {
                found.forEach((number, candidates) -> choose(honeycombs.numbered(number), candidates));
                found.clear();
                unsettled.clear();
            }
        }
    }

    private void begin() {
        long now = clock.bootNanos();
        for (Honeycomb honeycomb : honeycombs.all()) {
            boolean awaited = relief.lack(honeycomb) > 0;
            boolean isShort =
                    honeycomb.isConnected() && !honeycomb.isDraining() && (awaited || marks.isShort(honeycomb));
            if (!isShort) {
                told.remove(honeycomb);
            } else if (!rounds.containsKey(honeycomb)
                    && (awaited || now >= notBefore.getOrDefault(honeycomb, Long.MIN_VALUE))) {
                found.put(honeycomb.number(), new PriorityQueue<>(FIRST_TO_GO.reversed()));
            }
        }
        if (!found.isEmpty()) {
            searched = now;
            sweep.begin();
        }
    }

    private void consider(Inode inode) {
        if (!inode.isRegular() || inode.version() == 0 || inode.blocks() == 0 || inode.dirty()) {
            return;
        }
        if (inode.unsealed()) {
            inode.replicas().filter(found::containsKey).forEach(number -> settle(inode, number));
        } else {
            inode.replicas().forEach(number -> consider(inode, number));
        }
    }

    private void settle(Inode inode, int number) {
        unsettled.add(number);
        if (relief.lack(honeycombs.numbered(number)) > 0) {
            honeycombs.of(inode).errandQueue().hurrySeals();
        }
    }

    private void consider(Inode inode, int number) {
        PriorityQueue<Candidate> candidates = found.get(number);
        if (candidates == null) {
            return;
        }
        Candidate candidate = new Candidate(inode.number(), kind(inode, number), rank(inode), inode.space());
        boolean full = candidates.size() == MOST;
        if ((full && FIRST_TO_GO.compare(candidate, candidates.element()) >= 0)
                || !departures.canLeaveSoon(inode, honeycombs.numbered(number))) {
            return;
        }
        if (full) {
            candidates.remove();
        }
        candidates.add(candidate);
    }

    private static Kind kind(Inode inode, int number) {
        if (number == inode.honeycomb()) {
            return Kind.PRIMARY;
        }
        return inode.secondaries().isExtra(number) ? Kind.EXTRA : Kind.SECONDARY;
    }

    /** When it was last used, as far as is known: nobody can set the ctime, so a new file with an old mtime is new. */
    private long rank(Inode inode) {
        return atRandom ? SplitMix.mix(inode.number() ^ inode.version()) : Math.max(inode.atime(), inode.ctime());
    }

    private void choose(Honeycomb honeycomb, PriorityQueue<Candidate> candidates) {
        long now = clock.bootNanos();
        if (candidates.isEmpty() && unsettled.contains(honeycomb.number())) {
            return;
        }
        if (candidates.isEmpty()) {
            notBefore.put(honeycomb, now + PAUSE.toNanos());
            relief.nothingLeaves(honeycomb, searched);
            tellThatNothingLeaves(honeycomb);
            return;
        }
        honeycomb.setMakingRoom(true);
        long lack = lack(honeycomb);
        for (Candidate candidate : candidates.stream().sorted(FIRST_TO_GO).toList()) {
            if (lack > 0) {
                chosen.add(honeycomb, candidate.inode());
                lack -= candidate.bytes();
            }
        }
        rounds.put(honeycomb, now + LONGEST_ROUND.toNanos());
        LOG.info(
                "{} has {} left: {} replicas leave it",
                honeycomb.desktop(),
                new ByteSize(honeycomb.available()),
                chosen.of(honeycomb).size());
        goOn(honeycomb);
    }

    /** Bytes that have to leave a honeycomb. A writer who waits has met a full one, whatever it has told last. */
    private long lack(Honeycomb honeycomb) {
        long awaited = relief.lack(honeycomb);
        return awaited > 0 ? marks.highMark(honeycomb) + awaited : marks.lack(honeycomb);
    }

    private void tellThatNothingLeaves(Honeycomb honeycomb) {
        if (told.add(honeycomb)) {
            LOG.warn(
                    "{} has only {} left, and no replica can leave it: what it holds is in use, or no other desktop that is awake has room",
                    honeycomb.desktop(),
                    new ByteSize(honeycomb.available()));
        }
    }

    private void goOn(Honeycomb honeycomb) {
        boolean over = clock.bootNanos() > rounds.getOrDefault(honeycomb, Long.MIN_VALUE) || !honeycomb.isConnected();
        for (Long number : chosen.of(honeycomb)) {
            Inode inode = namespace.find(number);
            if (over || hasLeft(inode, number, honeycomb)) {
                chosen.remove(honeycomb, number);
            } else if (inode != null && departures.canLeaveSoon(inode, honeycomb)) {
                look.accept(inode);
            } else if (inode != null && !inode.moving() && inode.isIn(honeycomb.number())) {
                chosen.remove(honeycomb, number); // somebody uses it now
            }
        }
        if (chosen.of(honeycomb).isEmpty()) {
            rounds.remove(honeycomb);
            honeycomb.setMakingRoom(false);
            notBefore.put(honeycomb, clock.bootNanos() + settling.toNanos());
        }
    }

    private static boolean hasLeft(@Nullable Inode inode, long number, Honeycomb honeycomb) {
        return (inode == null || !inode.isIn(honeycomb.number()))
                && !honeycomb.errandQueue().drops().has(number);
    }
}
