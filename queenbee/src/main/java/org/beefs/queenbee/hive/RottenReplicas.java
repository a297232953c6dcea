package org.beefs.queenbee.hive;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.beefs.common.wire.ScrubReport;
import org.jspecify.annotations.Nullable;

/**
 * What is rotten in a honeycomb, as it has told last, a range of inode numbers at a time; and what is missing there and
 * cannot be made anew. At most one of each for every file of the namespace. Belongs to the namespace thread.
 */
public final class RottenReplicas {
    /** Why nothing is done about one: nobody else has it who is awake. */
    public static final String ALONE = "no other current replica of the file is on a desktop that is awake";

    /** Likewise: who reads the primary past his daemon would not see what is written elsewhere. */
    public static final String IN_USE = "somebody has the file open; it is replaced when it is closed";

    private final NavigableSet<Long> inodes = new TreeSet<>(Long::compareUnsigned);
    private final NavigableMap<Long, String> unhealed = new TreeMap<>(Long::compareUnsigned);
    private final Map<Long, String> missing = new HashMap<>();
    private long total;

    /**
     * What is not in the report's range is as it was told before.
     *
     * @param named those of the report that are files of the namespace
     */
    public void report(ScrubReport report, Collection<Long> named) {
        total = report.getRottenTotal();
        rangeOf(report, inodes).clear();
        inodes.addAll(named);
    }

    private static NavigableSet<Long> rangeOf(ScrubReport report, NavigableSet<Long> all) {
        long after = report.getRottenAfter();
        long through = report.getRottenThrough();
        if (through == 0) {
            return after == 0 ? all : all.tailSet(after, false);
        }
        boolean isRange = Long.compareUnsigned(after, through) <= 0;
        return isRange ? all.headSet(through, true).tailSet(after, false) : Collections.emptyNavigableSet();
    }

    public boolean has(long inode) {
        return inodes.contains(inode);
    }

    /** How many there are, as the honeycomb says; it may not have named all of them yet. */
    public long count() {
        return total;
    }

    /** Rotten ones about which nothing can be done at present, and why. */
    public Map<Long, String> unhealed() {
        return Collections.unmodifiableMap(unhealed);
    }

    /** Primaries that are not there at all, and why nothing can be done about them at present. */
    public Map<Long, String> missing() {
        return Collections.unmodifiableMap(missing);
    }

    /** Nothing is missing as far as is known. */
    public void forgetMissing() {
        missing.clear();
    }

    /** Why nothing can be done about one that is missing; null when something was. True if that is news. */
    public boolean setMissing(long inode, @Nullable String why) {
        @Nullable String before = why == null ? missing.remove(inode) : missing.put(inode, why);
        return !Objects.equals(before, why);
    }

    /** Those in the range of a report are these. */
    public void setUnhealed(ScrubReport report, Map<Long, String> left) {
        rangeOf(report, unhealed.navigableKeySet()).clear();
        unhealed.putAll(left);
    }
}
