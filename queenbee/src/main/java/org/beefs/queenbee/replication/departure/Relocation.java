package org.beefs.queenbee.replication.departure;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.beefs.common.config.ByteSize;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.hive.SplitMix;
import org.beefs.queenbee.hive.WaterMarks;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.Sweep;
import org.beefs.queenbee.replication.departure.Candidates.Candidate;
import org.beefs.queenbee.replication.departure.Candidates.Kind;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes room in honeycombs that are short of it, in rounds: going through the namespace shows what can leave; the best
 * of that is chosen, and has left when the round is over. Then the honeycomb reports its space, and if that does not
 * suffice another round begins; at once when somebody waits for room. For him more is looked for, and chosen, also
 * during a round of which nothing leaves soon. Belongs to the namespace thread.
 */
public final class Relocation {
    /** After so long a round need not be over for the next to begin: then only what is on its way is waited for. */
    private static final Duration LONGEST_ROUND = Duration.ofMinutes(10);

    /** Pause before a honeycomb from which nothing could leave is looked at again. */
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(Relocation.class);

    /**
     * @param until when it ends at the latest
     * @param searched when what can leave was last searched for; both by the boot clock, in ns
     */
    private record Round(long until, long searched) {}

    private final Namespace namespace;
    private final Honeycombs honeycombs;
    private final WaterMarks marks;
    private final Departures departures;
    private final ChosenReplicas chosen;
    private final Relief relief;
    private final Clock clock;
    private final boolean atRandom;
    private final Duration settling;
    private final LongPredicate hasFailed;
    private final Consumer<Inode> look;
    private final Sweep sweep;

    /** When the present search has begun (boot clock, ns). */
    private long searched;

    /** Candidates that the present search has found; by number of the honeycomb. */
    private final Map<Integer, Candidates> found = new HashMap<>();

    /** Honeycombs that have something which can leave only when it is on its primary's disk; by number. */
    private final Set<Integer> unsettled = new HashSet<>();

    /** Honeycombs that have chosen replicas which have not left. */
    private final Map<Honeycomb, Round> rounds = new HashMap<>();

    /** What was chosen and has not left, by number of the honeycomb: at the next search others have their turn. */
    private final Map<Integer, Set<Long>> passedOver = new HashMap<>();

    /** When a honeycomb's replicas are looked through again at the earliest, unless a writer waits (boot clock, ns). */
    private final Map<Honeycomb, Long> notBefore = new HashMap<>();

    /** Honeycombs of which the log says already that nothing can leave them. */
    private final Set<Honeycomb> told = new HashSet<>();

    /**
     * @param atRandom whether it is chance what leaves first; otherwise what was used longest ago
     * @param settling after which a honeycomb has told what the end of a round has changed
     * @param hasFailed whether the last copy of an inode has failed
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
            LongPredicate hasFailed,
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
        this.hasFailed = hasFailed;
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
            if (!canMakeRoom(honeycomb) || !(awaited || marks.isShort(honeycomb))) {
                told.remove(honeycomb);
            } else if (isDue(honeycomb, awaited, now)) {
                if (awaited) {
                    passedOver.remove(honeycomb.number());
                }
                found.put(honeycomb.number(), new Candidates());
            }
        }
        if (!found.isEmpty()) {
            searched = now;
            sweep.begin();
        }
    }

    private static boolean canMakeRoom(Honeycomb honeycomb) {
        return honeycomb.isConnected() && !honeycomb.isDraining() && !honeycomb.isReadOnly();
    }

    /** A writer who waits needs more than what leaves anyway, if that takes long. */
    private boolean isDue(Honeycomb honeycomb, boolean awaited, long now) {
        Round round = rounds.get(honeycomb);
        if (awaited) {
            return round == null
                    || (relief.isAskedSince(honeycomb, round.searched())
                            && departures.leavingForRoom(honeycomb) < Candidates.MOST
                            && leavingSoon(honeycomb) < relief.lack(honeycomb));
        }
        return (round == null || now > round.until()) && now >= notBefore.getOrDefault(honeycomb, Long.MIN_VALUE);
    }

    /** Bytes of the chosen replicas that leave within a few seconds, if nothing is in the way. */
    private long leavingSoon(Honeycomb honeycomb) {
        return onTheirWay(honeycomb).filter(Candidates::isSmall).sum();
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
        Candidates candidates = found.get(number);
        if (candidates == null) {
            return;
        }
        Honeycomb honeycomb = honeycombs.numbered(number);
        Candidate candidate = new Candidate(inode.number(), kind(inode, number), rank(inode), inode.space());
        if (candidates.mayTake(candidate)
                && !chosen.has(honeycomb, inode.number())
                && !passedOver.getOrDefault(number, Set.of()).contains(inode.number())
                && departures.canLeaveSoon(inode, honeycomb)) {
            candidates.add(candidate);
        }
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

    private void choose(Honeycomb honeycomb, Candidates candidates) {
        if (candidates.isEmpty() && unsettled.contains(honeycomb.number())) {
            return;
        }
        boolean complete = passedOver.remove(honeycomb.number()) == null;
        if (candidates.isEmpty()) {
            nothingFound(honeycomb, complete);
            return;
        }
        honeycomb.setMakingRoom(true);
        int most = Candidates.MOST - departures.leavingForRoom(honeycomb);
        List<Candidate> quick = candidates.chooseQuick(awaitedAtChoice(honeycomb), most);
        candidates
                .choose(quick, lackAtChoice(honeycomb), most)
                .forEach(candidate -> chosen.add(honeycomb, candidate.inode()));
        quick.forEach(candidate -> departures.forWriters().add(honeycomb, candidate.inode()));
        rounds.put(honeycomb, new Round(end(honeycomb), searched));
        LOG.info(
                "{} has {} left: {} replicas leave it",
                honeycomb.desktop(),
                new ByteSize(honeycomb.available()),
                departures.leavingForRoom(honeycomb));
        goOn(honeycomb);
    }

    /** @param complete whether all was looked at */
    private void nothingFound(Honeycomb honeycomb, boolean complete) {
        Round round = rounds.get(honeycomb);
        notBefore.put(honeycomb, clock.bootNanos() + PAUSE.toNanos());
        if (round != null) {
            rounds.put(honeycomb, new Round(round.until(), searched)); // what was chosen before is leaving
        } else if (complete) {
            relief.nothingLeaves(honeycomb, searched);
            tellThatNothingLeaves(honeycomb);
        }
    }

    private boolean isUnderWay(@Nullable Round round) {
        return round != null && clock.bootNanos() <= round.until();
    }

    /** Bytes of what leaves soon that have yet to be chosen for who waits to write. */
    private long awaitedAtChoice(Honeycomb honeycomb) {
        long awaited = relief.lack(honeycomb);
        long ahead = Math.min(Candidates.AHEAD, marks.highMark(honeycomb));
        return awaited > 0 ? awaited + ahead - leavingSoon(honeycomb) : 0;
    }

    /** Bytes that have yet to be chosen altogether. As long as a round is under way it is only for who waits. */
    private long lackAtChoice(Honeycomb honeycomb) {
        long lack = isUnderWay(rounds.get(honeycomb)) ? relief.lack(honeycomb) : lack(honeycomb);
        return lack - onTheirWay(honeycomb).sum();
    }

    /** Bytes of each of the chosen replicas that leaves when it is copied, or without that. */
    private LongStream onTheirWay(Honeycomb honeycomb) {
        return chosen.of(honeycomb).stream()
                .filter(number -> !hasFailed.test(number))
                .map(namespace::find)
                .filter(Objects::nonNull)
                .filter(inode -> !inode.isIn(honeycomb.number()) || departures.isOnItsWay(inode))
                .mapToLong(Inode::space);
    }

    private long end(Honeycomb honeycomb) {
        Round round = rounds.get(honeycomb);
        return round != null && isUnderWay(round) ? round.until() : clock.bootNanos() + LONGEST_ROUND.toNanos();
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
        boolean late = !isUnderWay(rounds.get(honeycomb));
        for (Long number : chosen.of(honeycomb)) {
            Inode inode = namespace.find(number);
            if (hasLeft(inode, number, honeycomb)) {
                takeBack(honeycomb, number);
            } else if (!isLeaving(inode, honeycomb, late)) {
                takeBack(honeycomb, number);
                passedOver
                        .computeIfAbsent(honeycomb.number(), first -> new HashSet<>())
                        .add(number);
            } else if (inode != null && departures.canLeaveSoon(inode, honeycomb)) {
                look.accept(inode);
            }
        }
        if (chosen.of(honeycomb).isEmpty()) {
            rounds.remove(honeycomb);
            honeycomb.setMakingRoom(false);
            notBefore.put(honeycomb, clock.bootNanos() + settling.toNanos());
        }
    }

    private void takeBack(Honeycomb honeycomb, long inode) {
        chosen.remove(honeycomb, inode);
        departures.forWriters().remove(honeycomb, inode);
    }

    /**
     * Whether a chosen replica that has not left is waited for. What is being copied goes on being copied after the
     * round: begun anew it would take as long again.
     *
     * @param late whether the round should be over
     */
    private boolean isLeaving(@Nullable Inode inode, Honeycomb honeycomb, boolean late) {
        if (inode == null || !inode.isIn(honeycomb.number()) || inode.moving()) {
            return !late;
        }
        if (departures.isInUse(inode) || honeycomb.isReadOnly()) {
            return false;
        }
        return late
                ? lack(honeycomb) > 0 && departures.isBeingReplaced(inode) && !hasFailed.test(inode.number())
                : departures.isBeingReplaced(inode) || departures.canLeaveSoon(inode, honeycomb);
    }

    private static boolean hasLeft(@Nullable Inode inode, long number, Honeycomb honeycomb) {
        return (inode == null || !inode.isIn(honeycomb.number()))
                && !honeycomb.errandQueue().drops().has(number);
    }
}
