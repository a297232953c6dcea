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
 * Replicas of a honeycomb that are rotten, as it has told last, a range of inode numbers at a time; and those that are
 * missing there and cannot be made anew. At most one of each for every file of the namespace. Belongs to the namespace
 * thread.
 */
public final class UnsoundReplicas {
    /** Why nothing is done about a replica: no other current one is on a desktop that is awake. */
    public static final String ALONE = "no other current replica of the file is on a desktop that is awake";

    /**
     * Why nothing is done about a replica: a kernel that reads the primary in passthrough would not see what is written
     * elsewhere.
     */
    public static final String IN_USE = "somebody has the file open; it is replaced when it is closed";

    private final NavigableSet<Long> rotten = new TreeSet<>(Long::compareUnsigned);
    private final NavigableMap<Long, String> unhealed = new TreeMap<>(Long::compareUnsigned);
    private final Map<Long, String> missing = new HashMap<>();
    private long rottenTotal;

    /**
     * Takes a report; rotten replicas outside its range stay as they were told before.
     *
     * @param named those of the report that are files of the namespace
     */
    public void report(ScrubReport report, Collection<Long> named) {
        rottenTotal = report.getRottenTotal();
        rangeOf(report, rotten).clear();
        rotten.addAll(named);
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

    public boolean isRotten(long inode) {
        return rotten.contains(inode);
    }

    /** Whether a primary is not there at all, and nothing could be done about it yet. */
    public boolean isMissing(long inode) {
        return missing.containsKey(inode);
    }

    /** How many rotten ones there are, as the honeycomb says; it may not have named all of them yet. */
    public long countRotten() {
        return rottenTotal;
    }

    /** Rotten replicas about which nothing can be done at present, and why; by inode. */
    public Map<Long, String> unhealed() {
        return Collections.unmodifiableMap(unhealed);
    }

    /** Primaries that are not there at all, and why nothing can be done about them at present; by inode. */
    public Map<Long, String> missing() {
        return Collections.unmodifiableMap(missing);
    }

    /** Nothing is missing as far as is known. */
    public void forgetMissing() {
        missing.clear();
    }

    /**
     * Remembers that a primary is missing, or that it is not any more.
     *
     * @param why nothing can be done about it; null when something was
     * @return whether that is news
     */
    public boolean setMissing(long inode, @Nullable String why) {
        @Nullable String before = why == null ? missing.remove(inode) : missing.put(inode, why);
        return !Objects.equals(before, why);
    }

    /**
     * Remembers the rotten replicas about which nothing can be done; those outside the report's range stay.
     *
     * @param left those in the range of the report, and why
     */
    public void setUnhealed(ScrubReport report, Map<Long, String> left) {
        rangeOf(report, unhealed.navigableKeySet()).clear();
        unhealed.putAll(left);
    }
}
