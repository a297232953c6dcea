package org.beefs.honeybee.cache;

import org.beefs.common.wire.Capability;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.NewInodes;
import org.jspecify.annotations.Nullable;

/**
 * What the queen-bee has given to this desktop to make inodes with by itself: numbers that nobody else uses, and where
 * its files go. Thread-safe.
 */
public final class InodeSupply {
    // Guarded by this. Numbers of two gifts at a time: what is left of the one before is used first.
    private long next;
    private long end;
    private long laterNext;
    private long laterEnd;
    private @Nullable Place place;
    private long room;

    /**
     * Where a new file goes.
     *
     * @param layout but for the inode and the capability
     * @param elsewhere whether that is another desktop
     */
    record Place(Layout layout, boolean elsewhere) {}

    /** Takes what the queen-bee gives in the answer to a registration. */
    public synchronized void begin(NewInodes given) {
        next = 0;
        end = 0;
        laterNext = 0;
        laterEnd = 0;
        take(given);
    }

    /** Takes what the queen-bee gives in the answer to a heartbeat. */
    public synchronized void take(NewInodes given) {
        place = given.hasLayout() ? new Place(given.getLayout(), given.getElsewhere()) : null;
        room = given.getRoom();
        if (given.getCount() > 0) {
            if (next < end) {
                laterNext = given.getFirst();
                laterEnd = given.getFirst() + given.getCount();
            } else {
                next = given.getFirst();
                end = given.getFirst() + given.getCount();
            }
        }
    }

    /** Numbers that are left. */
    public synchronized int left() {
        return (int) (end - next + laterEnd - laterNext);
    }

    /** A number for an inode, never used before; 0 when there is none. */
    synchronized long number() {
        if (next == end) {
            next = laterNext;
            end = laterEnd;
            laterNext = laterEnd;
        }
        return next == end ? 0 : next++;
    }

    /**
     * Where a file goes that is made now; null when only the queen-bee knows.
     *
     * @param available what is free on this desktop, in bytes
     */
    synchronized @Nullable Place place(long available) {
        return available >= room ? place : null;
    }

    /** The layout with the right to read and write a file that nobody else knows. */
    static Layout toWrite(Layout layout) {
        Capability capability = Capability.newBuilder()
                .setInode(layout.getInode())
                .setEpoch(layout.getEpoch())
                .setRead(true)
                .setWrite(true)
                .build();
        return layout.toBuilder().setCapability(capability.toByteString()).build();
    }
}
