package org.beefs.common.replica;

import org.beefs.common.wire.InventoryRange;
import org.beefs.common.wire.ReplicaName;

/**
 * A sum of 128 bits over replicas, in whatever order they come: two sets of replicas with the same sum and number are
 * the same set, unless two in 2^128 coincide. Against accidents only, not against somebody who wants two sets to look
 * the same. Not thread-safe.
 */
public final class ReplicaDigest {
    private static final long FIRST_SEED = 0x243F6A8885A308D3L;
    private static final long SECOND_SEED = 0x13198A2E03707344L;

    private long count;
    private long high;
    private long low;

    /** Takes up a replica as an inventory names it. */
    public void add(ReplicaName replica) {
        add(
                replica.getInode(),
                replica.getGeneration(),
                replica.getEpoch(),
                replica.getVersion(),
                replica.getSecondary());
    }

    /** Takes up a replica, without a message that names it. */
    public void add(long inode, int generation, long epoch, long version, boolean secondary) {
        long rest = ((long) generation << 1) | (secondary ? 1 : 0);
        count++;
        high += hash(FIRST_SEED, inode, rest, epoch, version);
        low += hash(SECOND_SEED, inode, rest, epoch, version);
    }

    /** How many it has taken up. */
    public long count() {
        return count;
    }

    /** Whether the range was told to be of the same replicas. */
    public boolean matches(InventoryRange range) {
        return count == range.getReplicas() && high == range.getDigestHigh() && low == range.getDigestLow();
    }

    /** Says in a message what it has taken up. */
    public void tell(InventoryRange.Builder range) {
        range.setReplicas(count).setDigestHigh(high).setDigestLow(low);
    }

    private static long hash(long seed, long inode, long rest, long epoch, long version) {
        return mix(mix(mix(mix(seed + inode) + rest) + epoch) + version);
    }

    /** The finaliser of MurmurHash3 (Appleby 2011): each bit of the result depends on all of the value. */
    private static long mix(long value) {
        long mixed = (value ^ (value >>> 33)) * 0xFF51AFD7ED558CCDL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return mixed ^ (mixed >>> 33);
    }
}
