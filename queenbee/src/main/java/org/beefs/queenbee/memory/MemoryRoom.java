package org.beefs.queenbee.memory;

import java.util.function.IntSupplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the queen-bee's heap has room for more of the namespace. A heap that is full ends her, and she would load the
 * same state, and end, again and again: so what makes it larger is refused before that (inodes, names, longer names,
 * attributes), and what makes it smaller goes on. Belongs to the namespace thread; {@link #percentUsed} may be called
 * by any.
 */
public final class MemoryRoom {
    /** Percent of the heap in use after a collection from which on there is no room for more. */
    public static final int SCARCE_PERCENT = 90;

    /** Percent of the heap in use below which there is room again. */
    public static final int ENOUGH_PERCENT = 85;

    private static final Logger LOG = LoggerFactory.getLogger(MemoryRoom.class);

    private final long heap;
    private final IntSupplier percentUsed;
    private boolean scarce;

    /**
     * @param heap bytes that the heap may have
     * @param percentUsed how much of it was in use after the last collection
     */
    public MemoryRoom(long heap, IntSupplier percentUsed) {
        this.heap = heap;
        this.percentUsed = percentUsed;
    }

    /** Bytes that the heap may have. */
    public long heap() {
        return heap;
    }

    /** How much of the heap was in use after the last collection. */
    public int percentUsed() {
        return percentUsed.getAsInt();
    }

    /**
     * Looks at the heap; once in each tick.
     *
     * @return whether it has just become scarce
     */
    public boolean look() {
        boolean was = scarce;
        int percent = percentUsed();
        scarce = percent >= (was ? ENOUGH_PERCENT : SCARCE_PERCENT);
        if (scarce && !was) {
            LOG.error("no files can be made any more: {} % of the queen-bee's memory are in use", percent);
        }
        return scarce && !was;
    }

    /** Whether there was no room when it was looked at last. */
    public boolean isScarce() {
        return scarce;
    }

    /** Fails with ENOSPC when there is no room. */
    public void require() {
        if (scarce) {
            throw new PosixException(
                    Errno.ENOSPC,
                    "the queen-bee's memory is full: give her more; or remove files while all desktops that have them are on");
        }
    }
}
