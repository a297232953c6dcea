package org.beefs.queenbee.hive;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Replicas that a honeycomb is to remove. One is owed until the honeycomb has removed it, and then until its catalog
 * has forgotten the record too; on disk both are the same. Bounded by what the honeycomb ever held: while it is away or
 * lost it owes those of files that are gone, too. Belongs to the namespace thread.
 */
public final class Drops {
    private final Honeycomb honeycomb;

    /** Drops of all honeycombs by inode; has these as well. */
    private final Owing owing;

    /** By inode, in the order in which they are told. */
    private final Map<Long, Drop> owed = new LinkedHashMap<>();

    /** By inode: those that could not go when they were looked at, the longest ago first. */
    private final SequencedMap<Long, Drop> resting = new LinkedHashMap<>();

    /** So many of the first that rest are to be looked at again. There may be many: a few at a time are taken. */
    private int again;

    /** By inode: those that it has removed, and whose records its catalog may still have. */
    private final Map<Long, Drop> forgetting = new LinkedHashMap<>();

    /** Inodes whose replicas its present process was asked to remove. At most as many as are pending. */
    private final Set<Long> asked = new HashSet<>();

    Drops(Honeycomb honeycomb, Owing owing) {
        this.honeycomb = honeycomb;
        this.owing = owing;
    }

    /** Whether the replica of the inode is to go. */
    public boolean has(long inode) {
        return owed.containsKey(inode) || resting.containsKey(inode);
    }

    /** Whether a replica that the honeycomb has listed may be gone meanwhile, because it was asked to remove it. */
    public boolean mayHaveGone(long inode) {
        return asked.contains(inode);
    }

    /** How many replicas it has not removed yet, or may still have records of in its catalog. */
    public int pending() {
        return owed.size() + resting.size() + forgetting.size();
    }

    /** Whether there are none that it could be told of. */
    boolean isEmpty() {
        return owed.isEmpty() && (again == 0 || resting.isEmpty());
    }

    void add(Drop drop) {
        forgetting.remove(drop.inode());
        resting.remove(drop.inode());
        owed.put(drop.inode(), drop);
        owing.add(drop.inode(), honeycomb);
    }

    /** The drops that have waited for longest, up to the first that may not be told yet. */
    List<Drop> next(int most, Predicate<Drop> mayBeTold) {
        for (again = Math.min(again, resting.size()); again > 0 && owed.size() < most; again--) {
            Map.Entry<Long, Drop> first = resting.pollFirstEntry();
            owed.put(first.getKey(), first.getValue());
        }
        return owed.values().stream().takeWhile(mayBeTold).limit(most).toList();
    }

    /** The honeycomb is asked to remove these. */
    void ask(Collection<Long> inodes) {
        asked.addAll(inodes);
    }

    /** Moves a drop to the end of the queue. */
    void postpone(long inode) {
        Drop drop = owed.remove(inode);
        if (drop != null) {
            owed.put(inode, drop);
        }
    }

    /** It cannot go now. */
    void rest(long inode) {
        Drop drop = owed.remove(inode);
        if (drop != null) {
            resting.put(inode, drop);
        }
    }

    /** Replicas that could not go are all looked at again, as they may be able to by now. */
    void lookAgain() {
        again = resting.size();
    }

    /** Replicas that could not go are looked at again, at least so many of them. */
    void lookAgain(int most) {
        again = Math.max(again, most);
    }

    /** The honeycomb has removed it. */
    void removed(long inode) {
        Drop drop = settle(inode);
        if (drop != null) {
            forgetting.put(inode, drop);
        }
    }

    /** Some of the inodes whose records its catalog may still have, though it has removed the replicas. */
    public List<Long> forgetting(int most) {
        return forgetting.keySet().stream().limit(most).toList();
    }

    /**
     * The catalog has no such record any more. False if that was not waited for: then the drop is owed still, if any.
     */
    boolean forgotten(long inode) {
        boolean awaited = forgetting.remove(inode) != null;
        if (awaited) {
            asked.remove(inode);
            owing.remove(inode, honeycomb);
        }
        return awaited;
    }

    /** The replica may stay. False if it was not to go. */
    boolean cancel(long inode) {
        boolean wasOwed = settle(inode) != null;
        boolean wasForgetting = forgetting.remove(inode) != null;
        if (wasOwed || wasForgetting) {
            asked.remove(inode);
            owing.remove(inode, honeycomb);
        }
        return wasOwed || wasForgetting;
    }

    /** So many are not owed any more; answers their inodes. */
    List<Long> discard(int most) {
        List<Long> some = Stream.of(owed, resting, forgetting)
                .flatMap(drops -> drops.keySet().stream())
                .limit(most)
                .toList();
        some.forEach(this::cancel);
        return some;
    }

    /**
     * The honeycomb has come: what it was told to forget may not have reached it.
     *
     * @param anew whether with another process: requests end with theirs
     */
    void connected(boolean anew) {
        List.copyOf(forgetting.values()).forEach(this::add);
        if (anew) {
            asked.clear();
        }
    }

    /** The replica need not be removed any more; null if it was not to be. */
    private @Nullable Drop settle(long inode) {
        Drop told = owed.remove(inode);
        return told == null ? resting.remove(inode) : told;
    }
}
