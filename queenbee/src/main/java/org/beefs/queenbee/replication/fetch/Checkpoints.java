package org.beefs.queenbee.replication.fetch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.journal.Numbering;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Secondaries;
import org.jspecify.annotations.Nullable;

/**
 * Files that have been open for writing for so long that a version of them is due although they are dirty; with where
 * such a version is being made, and which version numbers were given out for that. Times are nanoseconds of the boot
 * clock. Belongs to the namespace thread.
 */
public final class Checkpoints {
    private final Numbering numbering;
    private final Clock clock;
    private final Duration distance;

    /** Files open for writing, each with when it was opened or had its last turn; the earliest first. */
    private final LinkedHashMap<Long, Long> turns = new LinkedHashMap<>();

    /**
     * Files that have had a turn, each with the time up to which its content is known to be elsewhere too; at first
     * when it was opened.
     */
    private final Map<Long, Long> secured = new HashMap<>();

    /** The place of the checkpoint that is being made, by file. */
    private final Map<Long, Place> places = new HashMap<>();

    /** The highest number that was given out for a checkpoint, until the file has a higher version, or is gone. */
    private final Map<Long, Long> promised = new HashMap<>();

    /**
     * @param kept the version that lies there beside the replica and is yet to become it; 0 while it is being copied
     */
    private record Place(Honeycomb honeycomb, long kept) {}

    /** @param distance between a file's opening, or its last turn, and the next */
    public Checkpoints(Numbering numbering, Clock clock, Duration distance) {
        this.numbering = numbering;
        this.clock = clock;
        this.distance = distance;
    }

    /** Somebody has the file open for writing; further writers change nothing. */
    public void writingBegun(long inode) {
        turns.putIfAbsent(inode, clock.bootNanos());
    }

    /**
     * Nobody has it open for writing any more. A copy that is its newest version is still to become a replica: the
     * primary may be gone, and the file dirty for ever.
     */
    public void writingEnded(long inode) {
        turns.remove(inode);
        secured.remove(inode);
        places.computeIfPresent(inode, (number, place) -> place.kept() == 0 ? null : place);
    }

    /** The file is gone. */
    public void removed(long inode) {
        writingEnded(inode);
        ended(inode);
        promised.remove(inode);
    }

    /**
     * A number for the file's next version. None is the same as that of a copy that was made for a checkpoint and may
     * still lie in a honeycomb: what is committed when the last writer has gone can be something else.
     */
    public long nextVersion(Inode inode) {
        return numbering.after(Math.max(inode.version(), promised.getOrDefault(inode.number(), 0L)));
    }

    /** A number for a checkpoint, which is used for nothing else. */
    long promiseVersion(Inode inode) {
        long version = nextVersion(inode);
        promised.put(inode.number(), version);
        return version;
    }

    /** The newest version is lost: its number is never used for anything else. */
    public void lost(Inode inode) {
        promised.merge(inode.number(), inode.version(), Math::max);
    }

    /** The file has a new version. */
    public void committed(Inode inode) {
        places.computeIfPresent(inode.number(), (number, place) -> place.kept() == 0 ? place : null);
        promised.computeIfPresent(inode.number(), (number, highest) -> inode.version() >= highest ? null : highest);
    }

    /** Files whose turn it is, at most so many; each has its next turn after the distance. */
    public List<Long> due(int most) {
        List<Long> due = new ArrayList<>();
        long now = clock.bootNanos();
        while (due.size() < most && isAnyDue()) {
            Map.Entry<Long, Long> first = turns.firstEntry();
            secured.putIfAbsent(first.getKey(), first.getValue());
            turns.putLast(first.getKey(), now);
            due.add(first.getKey());
        }
        return due;
    }

    /** Whether it is any file's turn. */
    public boolean isAnyDue() {
        Map.Entry<Long, Long> first = turns.firstEntry();
        return first != null && clock.bootNanos() - first.getValue() >= distance.toNanos();
    }

    /** The file's present content is to be copied there. */
    public void want(long inode, Honeycomb place) {
        places.put(inode, new Place(place, 0));
    }

    /** Whether the file's present content is to be copied, or such a copy is yet to become a replica. */
    public boolean isAnyWanted(long inode) {
        return places.containsKey(inode);
    }

    /** Whether a copy of the file's present or earlier content is to come from there, or has come. */
    public boolean isPlace(long inode, Honeycomb there) {
        Place place = places.get(inode);
        return place != null && place.honeycomb() == there;
    }

    /**
     * The honeycomb with a copy that is the newest version, and is yet to become the replica; null when there is none.
     */
    @Nullable
    public Honeycomb keeper(Inode inode) {
        Place place = places.get(inode.number());
        return place != null && isKept(inode, place.honeycomb()) && lacksNewest(inode, place.honeycomb())
                ? place.honeycomb()
                : null;
    }

    private static boolean lacksNewest(Inode inode, Honeycomb there) {
        Secondaries secondaries = inode.secondaries();
        return secondaries.has(there.number()) && !secondaries.isCurrent(there.number());
    }

    public boolean isWanted(long inode, Honeycomb there) {
        return new Place(there, 0).equals(places.get(inode));
    }

    /** The newest version is a copy that was made there, and is yet to become the replica. */
    public void kept(Inode inode, Honeycomb there) {
        places.put(inode.number(), new Place(there, inode.version()));
    }

    /** Whether the newest version is such a copy, and is there. */
    public boolean isKept(Inode inode, Honeycomb there) {
        return inode.version() != 0 && new Place(there, inode.version()).equals(places.get(inode.number()));
    }

    /** What was wanted is done, or not to be had in this turn. */
    public void ended(long inode) {
        places.remove(inode);
    }

    /** The file's content of now is its newest version, and that is elsewhere too. */
    public void secured(long inode) {
        secured.computeIfPresent(inode, (number, since) -> clock.bootNanos());
    }

    /** Files that have been open for writing for longer than the distance. */
    public int longOpen() {
        return secured.size();
    }

    /** How far the oldest newest version of these is behind; zero when there are none. */
    public Duration lag() {
        long now = clock.bootNanos();
        return Duration.ofNanos(
                secured.values().stream().mapToLong(until -> now - until).max().orElse(0));
    }
}
