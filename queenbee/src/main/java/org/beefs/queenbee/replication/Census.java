package org.beefs.queenbee.replication;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.beefs.common.config.ByteSize;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.hive.NaturalOrder;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.Sweep;
import org.beefs.queenbee.replication.departure.Departures;
import org.beefs.queenbee.replication.placement.ReplicaLevels;
import org.beefs.queenbee.replication.placement.Settings;
import org.jspecify.annotations.Nullable;

/**
 * Counts how far the files' replicas are from what they should be, by going through the namespace as long as anything
 * changes or a honeycomb is being emptied. So the numbers are those of a short while ago; in a hive with many files, of
 * some minutes. Belongs to the namespace thread.
 */
public final class Census {
    /** How many files are named as examples. */
    private static final int MOST_EXAMPLES = 5;

    /**
     * The result of a whole walk through the namespace.
     *
     * @param underReplicated files with fewer current replicas than they should have by now, and the hive has desktops
     *     for; what lost desktops have does not count
     * @param stale secondaries that hold an old version
     * @param toCopy versions that desktops which are there lack
     * @param bytesToCopy of these, as {@link ByteSize#sum} adds them
     * @param onlyOnLost those of the under-replicated files whose current replicas are all on lost desktops: only these
     *     can bring them back
     * @param lostPrimaries the desktops with the primaries of these files
     */
    public record Counts(
            long underReplicated,
            long stale,
            long toCopy,
            long bytesToCopy,
            long onlyOnLost,
            Set<String> lostPrimaries) {}

    /**
     * The replicas that have yet to leave a honeycomb that is being emptied.
     *
     * @param bytes of the replicas, as long as their files are
     * @param inUse how many of them are of files that somebody uses
     * @param stuck how many of them have no other place to go to now
     * @param examples paths of some of both
     */
    public record Left(long replicas, long bytes, long inUse, long stuck, List<String> examples) {
        static final Left NOTHING = new Left(0, 0, 0, 0, List.of());

        private Left with(Inode inode, boolean used, boolean isStuck) {
            List<String> named = examples;
            if ((used || isStuck) && examples.size() < MOST_EXAMPLES) {
                named = new ArrayList<>(examples);
                named.add(inode.path());
            }
            return new Left(
                    replicas + 1,
                    ByteSize.sum(bytes, inode.size()),
                    inUse + (used ? 1 : 0),
                    stuck + (isStuck ? 1 : 0),
                    named);
        }
    }

    private final Honeycombs honeycombs;
    private final Settings settings;
    private final Departures departures;
    private final Upkeep upkeep;
    private final LongSupplier changes;
    private final Sweep sweep;
    private Counts counts = new Counts(0, 0, 0, 0, 0, Set.of());
    private Map<Integer, Left> left = Map.of();

    /** Whether a file lacked replicas that it need not have had then, so that time alone may change the counts. */
    private boolean someComeLater;

    /** Of the way under way; the number of changes when it began. */
    private @Nullable Tally tally;

    private long counted = -1;
    private long connected;

    /** @param changes how many there were of anything in the namespace */
    Census(
            Namespace namespace,
            Honeycombs honeycombs,
            Settings settings,
            Departures departures,
            Upkeep upkeep,
            LongSupplier changes) {
        this.honeycombs = honeycombs;
        this.settings = settings;
        this.departures = departures;
        this.upkeep = upkeep;
        this.changes = changes;
        this.sweep = new Sweep(namespace, this::count);
    }

    public Counts counts() {
        return counts;
    }

    /** What has yet to leave a honeycomb; null as long as that was not counted since it is being emptied. */
    public @Nullable Left left(Honeycomb honeycomb) {
        return left.get(honeycomb.number());
    }

    /** Whether files lack replicas, or may by now. */
    boolean mayAnyLack() {
        return counts.underReplicated() > 0 || someComeLater;
    }

    /** Counts anew, though nothing may have changed. */
    void refresh() {
        counted = -1;
    }

    /** Which honeycombs are emptied has changed: what was counted of them, and is being counted, does not count. */
    void restart() {
        left = Map.of();
        tally = null;
        sweep.stop();
        refresh();
    }

    /** Whether a honeycomb is being emptied, and is not empty. */
    boolean isAnythingLeft() {
        return honeycombs.all().stream()
                .filter(Honeycomb::isDraining)
                .map(this::left)
                .anyMatch(rest -> rest == null || rest.replicas() > 0);
    }

    /** Called now and then. */
    void tick() {
        if (tally == null && hasReason()) {
            counted = changes.getAsLong();
            tally = new Tally();
            sweep.begin();
        }
        sweep.tick();
    }

    /** Whether a pass would count any. */
    boolean hasMore() {
        return sweep.hasMore();
    }

    private void count(Inode inode) {
        if (tally != null) {
            tally.add(inode);
        }
    }

    /** Once in each pass. */
    void step() {
        sweep.step();
        Tally present = tally;
        if (present != null && !sweep.isRunning()) {
            counts = present.counts();
            left = present.rest;
            someComeLater = present.someComeLater;
            tally = null;
        }
    }

    private boolean hasReason() {
        long before = connected;
        connected = honeycombs.all().stream().filter(Honeycomb::isConnected).count();
        return connected != before || counted != changes.getAsLong() || isAnythingLeft();
    }

    /** The result so far of one walk through the namespace. */
    private final class Tally {
        private final ReplicaLevels levels = new ReplicaLevels(honeycombs, settings);
        private final Map<Integer, Left> rest = new HashMap<>();
        private long underReplicated;
        private boolean someComeLater;
        private long stale;
        private long toCopy;
        private long bytesToCopy;
        private long onlyOnLost;
        private final Set<String> lostPrimaries = new TreeSet<>(NaturalOrder.INSTANCE);

        Tally() {
            honeycombs.all().stream()
                    .filter(Honeycomb::isDraining)
                    .forEach(honeycomb -> rest.put(honeycomb.number(), Left.NOTHING));
        }

        void add(Inode inode) {
            if (!inode.isRegular()) {
                return;
            }
            if (!inode.isBlank()) {
                addLevels(inode);
            }
            if (!rest.isEmpty()) {
                addLeft(inode, inode.honeycomb());
                inode.secondaries().honeycombs().forEach(number -> addLeft(inode, number));
            }
        }

        private void addLevels(Inode inode) {
            int current = inode.dirty() ? 0 : inode.secondaries().countCurrent();
            if (levels.isUnder(inode)) {
                addUnder(inode);
            }
            if (current < inode.secondaries().size()) {
                inode.secondaries().honeycombs().forEach(number -> addOutdated(inode, number));
            }
        }

        Counts counts() {
            return new Counts(
                    underReplicated,
                    stale,
                    toCopy,
                    bytesToCopy,
                    onlyOnLost,
                    Collections.unmodifiableSet(lostPrimaries));
        }

        private void addUnder(Inode inode) {
            if (upkeep.isUnder(inode, levels)) {
                underReplicated++;
                addIfOnlyOnLost(inode);
            } else if (!inode.dirty()) {
                someComeLater = true;
            }
        }

        private void addIfOnlyOnLost(Inode inode) {
            if (levels.current(inode) == 0) {
                onlyOnLost++;
                lostPrimaries.add(honeycombs.of(inode).desktop());
            }
        }

        private void addOutdated(Inode inode, int number) {
            boolean isCurrent = !inode.dirty() && inode.secondaries().isCurrent(number);
            if (!isCurrent && inode.versionIn(number) != 0) {
                stale++;
            }
            if (!isCurrent && honeycombs.numbered(number).isConnected()) {
                toCopy++;
                bytesToCopy = ByteSize.sum(bytesToCopy, inode.size());
            }
        }

        private void addLeft(Inode inode, int number) {
            if (rest.containsKey(number)) {
                boolean used = departures.isInUse(inode);
                boolean stuck = !used && !departures.canLeave(inode, honeycombs.numbered(number));
                rest.computeIfPresent(number, (_, sum) -> sum.with(inode, used, stuck));
            }
        }
    }
}
