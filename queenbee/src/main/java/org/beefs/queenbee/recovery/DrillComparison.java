package org.beefs.queenbee.recovery;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.namespace.CatalogInodes;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Link;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.Touched;
import org.beefs.queenbee.operations.QueenState;
import org.jspecify.annotations.Nullable;

/**
 * Compares a namespace that was rebuilt from catalogs with the living one, which goes on changing. Exact because of an
 * order: first {@link LivingInodes} sees all inodes; then the last change is noted, the mark; then catalogs hear what
 * was changed up to there, and are read. So what was not changed since the mark must be in the rebuilt namespace as it
 * is in the living one, and what was gone before the mark must not be there. What was changed since is counted and not
 * judged. Used by one thread at a time.
 */
public final class DrillComparison {
    /** Gaps that are named, and desktops likewise. */
    public static final int MOST_NAMED = 100;

    private final Namespace rebuilt;
    private final LivingInodes living;
    private final long mark;
    private final BitSet read;
    private final BitSet late;
    private final Map<String, Long> gaps = new TreeMap<>();
    private final Map<String, Long> reasons = new TreeMap<>();
    private final List<DrillGap> examples = new ArrayList<>();
    private final Set<String> waitingFor = new TreeSet<>();
    private final List<String> unknown = new ArrayList<>();
    private long compared;
    private long there;
    private long changedMeanwhile;

    /**
     * A comparison to be made.
     *
     * @param rebuilt is changed a little, and of no use afterwards
     * @param living what was there when the drill began
     * @param mark sequence of the last change before catalogs were asked
     * @param read numbers of the honeycombs whose catalogs were read
     * @param late those of them that had not heard of all changes up to the mark
     */
    public DrillComparison(Namespace rebuilt, LivingInodes living, long mark, BitSet read, BitSet late) {
        this.rebuilt = rebuilt;
        this.living = living;
        this.mark = mark;
        this.read = read;
        this.late = late;
    }

    /** Takes a part of the living inodes, on the namespace thread. */
    public Consumer<Inode> visitor(QueenState state) {
        return inode -> compare(inode, state);
    }

    /** Inodes of the rebuilt namespace that were not there when the drill began, but could have been. */
    public long[] strangers() {
        return rebuilt.snapshot().stream()
                .filter(inode -> inode.number() != CollectedRecords.NOT_ISSUED)
                .filter(living::lacks)
                .mapToLong(Inode::number)
                .toArray();
    }

    /** Takes a part of these, on the namespace thread: they may have been made since. */
    public void compareStrangers(long[] strangers, int from, int to, QueenState state) {
        for (int i = from; i < to; i++) {
            if (state.namespace().find(strangers[i]) == null) {
                compareStranger(strangers[i], state);
            }
        }
    }

    /** What nobody knows to have been removed may be known to these records only, which must stay. */
    private void compareStranger(long inode, QueenState state) {
        if (wasRemoved(inode, state)) {
            add(new Suspicion("", inode, DrillGap.RETURNS, inode, suspects(state)), state);
        } else {
            reasons.merge(DrillGap.UNKNOWN, 1L, Long::sum);
            addUnknown(inode);
        }
    }

    private void addUnknown(long number) {
        Inode inode = rebuilt.find(number);
        if (inode != null && unknown.size() < MOST_NAMED) {
            unknown.add(inode.path());
        }
    }

    /**
     * Whether an inode that is not there was certainly there once. Numbers that desktops were given tell nothing of
     * that; that this queen-bee's state has seen the record's change does.
     */
    private boolean wasRemoved(long inode, QueenState state) {
        Inode again = rebuilt.find(inode);
        return (again != null && state.olderState().isOurs(again.changed()))
                || state.records().isRemembered(inode)
                || !state.honeycombs().errandQueues().owing(inode).isEmpty()
                || state.numbering().hasIssued(inode, state.namespace().highestOwn());
    }

    /** The findings, when all parts were taken. */
    public DrillFindings findings() {
        return new DrillFindings(
                compared,
                there,
                changedMeanwhile,
                Map.copyOf(gaps),
                Map.copyOf(reasons),
                List.copyOf(examples),
                waitingFor.stream().limit(MOST_NAMED).toList(),
                List.copyOf(unknown));
    }

    private void compare(Inode inode, QueenState state) {
        List<Link> names = state.namespace().links(inode);
        if (names.isEmpty() && inode.number() != Namespace.ROOT) {
            return; // goes with whoever has it open
        }
        if (inode.changed() > mark) {
            changedMeanwhile++;
            return;
        }
        String wrong = wrong(inode, names);
        Inode cause = DrillGap.ELSEWHERE.equals(wrong) ? cause(inode, names) : inode;
        List<Honeycomb> holders = wrong == null ? List.of() : state.records().holders(cause);
        if (wrong != null && holders.isEmpty()) {
            reasons.merge(DrillGap.GONE, 1L, Long::sum);
            return;
        }
        compared++;
        if (wrong == null) {
            there++;
        } else {
            add(new Suspicion(inode.path(), inode.number(), wrong, cause.number(), holders), state);
        }
    }

    private @Nullable String wrong(Inode inode, List<Link> names) {
        Inode again = rebuilt.find(inode.number());
        if (again == null) {
            return DrillGap.MISSING;
        }
        if (again.changed() != inode.changed() || !CatalogInodes.isSame(inode, again)) {
            return DrillGap.OLDER;
        }
        return names(names).equals(names(rebuilt.links(again))) ? null : DrillGap.ELSEWHERE;
    }

    /** Names as such: of each its directory and what it is there. */
    private static Set<Touched.Entry> names(List<Link> links) {
        return links.stream()
                .map(link ->
                        new Touched.Entry(link.parent().number(), link.entry().name()))
                .collect(Collectors.toSet());
    }

    /** The inode whose record is at fault. One that is elsewhere mostly is so because a directory of it is missing. */
    private Inode cause(Inode inode, List<Link> names) {
        return names.stream()
                .map(Link::parent)
                .filter(parent -> rebuilt.find(parent.number()) == null)
                .findFirst()
                .orElse(inode);
    }

    /**
     * Something that would not be as it is.
     *
     * @param cause inode whose record is wrong
     * @param holders those that should have it
     */
    private record Suspicion(String path, long inode, String what, long cause, List<Honeycomb> holders) {}

    /** Adds a gap. One that no reason explains is told to catalogs again, so that it is there the next time. */
    private void add(Suspicion gap, QueenState state) {
        String why = why(gap.holders);
        gaps.merge(gap.what, 1L, Long::sum);
        reasons.merge(why, 1L, Long::sum);
        List<String> desktops = gap.holders.stream()
                .filter(holder -> !why.equals(DrillGap.LATE) || late.get(holder.number()))
                .map(Honeycomb::desktop)
                .distinct()
                .toList();
        if (why.equals(DrillGap.LOST)) {
            gap.holders.stream()
                    .filter(holder -> read.get(holder.number()))
                    .forEach(holder -> state.records().tellAgain(holder, gap.cause));
        } else if (waitingFor.size() < MOST_NAMED) {
            waitingFor.addAll(desktops);
        }
        if (examples.size() < MOST_NAMED) {
            examples.add(new DrillGap(gap.path, gap.inode, gap.what, why, desktops));
        }
    }

    /**
     * Why it is missing: it is lost if one of its holders was asked and has heard of all changes, as that should have
     * told it.
     */
    private String why(List<Honeycomb> holders) {
        if (holders.stream().anyMatch(holder -> read.get(holder.number()) && !late.get(holder.number()))) {
            return DrillGap.LOST;
        }
        return holders.stream().anyMatch(holder -> late.get(holder.number())) ? DrillGap.LATE : DrillGap.AWAY;
    }

    /** Honeycombs that may have told of an inode that is gone. */
    private List<Honeycomb> suspects(QueenState state) {
        return (late.isEmpty() ? read : late)
                .stream().mapToObj(state.honeycombs()::numbered).toList();
    }
}
