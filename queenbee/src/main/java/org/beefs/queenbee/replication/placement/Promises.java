package org.beefs.queenbee.replication.placement;

import java.util.HashMap;
import java.util.Map;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.namespace.Inode;

/**
 * Space that will be taken by first copies which honeycombs were told to make, and do not report as used yet. A promise
 * is kept when the honeycomb's answer or an inventory shows the replica, and forgotten when that is not to be made any
 * more. In memory only; after a restart more may be copied to a honeycomb than it should take, once. Belongs to the
 * namespace thread.
 */
public final class Promises {
    /** Bytes, by inode and then by honeycomb: of an inode there are few, of most none. */
    private final Map<Long, Map<Honeycomb, Long>> open = new HashMap<>();

    private final Map<Honeycomb, Long> sums = new HashMap<>();

    /** Bytes that are left of a honeycomb's free space when all is made that was promised; 0 when it is too little. */
    long available(Honeycomb honeycomb) {
        return Math.max(0, honeycomb.available() - sums.getOrDefault(honeycomb, 0L));
    }

    public void make(Honeycomb honeycomb, Inode inode) {
        forget(honeycomb, inode.number());
        open.computeIfAbsent(inode.number(), first -> new HashMap<>()).put(honeycomb, inode.space());
        sums.merge(honeycomb, inode.space(), Long::sum);
    }

    /**
     * The replica is there: its space may be missing from what the honeycomb has reported last, and counts as used
     * until it reports again. Harmless if it was not promised.
     */
    public void keep(Honeycomb honeycomb, long inode) {
        honeycomb.setAvailable(Math.max(0, honeycomb.available() - forget(honeycomb, inode)));
    }

    /** The replica will not be made; answers what it would have taken. Harmless if it was not promised. */
    public long forget(Honeycomb honeycomb, long inode) {
        Map<Honeycomb, Long> promised = open.get(inode);
        if (promised == null) {
            return 0;
        }
        Long bytes = promised.remove(honeycomb);
        if (bytes == null) {
            return 0;
        }
        if (promised.isEmpty()) {
            open.remove(inode);
        }
        sums.merge(honeycomb, -bytes, Long::sum);
        return bytes;
    }

    /** The file is gone. */
    public void forget(long inode) {
        Map<Honeycomb, Long> promised = open.remove(inode);
        if (promised != null) {
            promised.forEach((honeycomb, bytes) -> sums.merge(honeycomb, -bytes, Long::sum));
        }
    }
}
