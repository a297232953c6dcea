package org.beefs.queenbee.lease;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.beefs.queenbee.memory.MemoryRoom;

/**
 * Bounds the memory that the leases of all sessions take. When it is used up, sessions with a quarter of all leases are
 * recalled as a whole, those with most first, and again when these have answered, until a quarter of the memory is
 * free; until then nothing is leased. So the table of leases, which takes a second to be laid out when it is that
 * large, is laid out once for each quarter and not for each session. Belongs to the namespace thread.
 */
final class LeaseRoom {
    /** The part of the heap that may be used: one of so many. */
    static final int HEAP_SHARE = 8;

    private static final int QUARTERS = 4;

    private final Holders holders;
    private final MemoryRoom memory;
    private final Consumer<Holder> recallAll;

    private boolean isFull;

    /** Holders from which everything was recalled last, to make room. */
    private List<Holder> recalled = List.of();

    /** @param recallAll recalls all leases that a holder has now */
    LeaseRoom(Holders holders, MemoryRoom memory, Consumer<Holder> recallAll) {
        this.holders = holders;
        this.memory = memory;
        this.recallAll = recallAll;
    }

    /** Whether there is memory for one lease more; if not, some is made. */
    boolean make() {
        if (!isFull && holders.rows() < bound()) {
            return true;
        }
        isFull = true;
        if (recalled.stream().allMatch(holder -> holder.former == Holder.NONE)) {
            holders.compact();
            isFull = holders.rows() > bound() / QUARTERS * (QUARTERS - 1);
            recalled = isFull ? largest() : List.of();
            recalled.forEach(recallAll);
        }
        return !isFull;
    }

    private long bound() {
        return memory.heap() / HEAP_SHARE / LeaseTable.ROW_BYTES;
    }

    /** The holders with the most leases, as many as together have a quarter of all. */
    private List<Holder> largest() {
        List<Holder> largest = new ArrayList<>();
        long left = holders.leases() / QUARTERS;
        for (Holder holder : holders.all().stream()
                .filter(each -> each.former == Holder.NONE && holders.count(each) > 0)
                .sorted(Comparator.comparingInt(holders::count).reversed())
                .toList()) {
            if (left >= 0) {
                largest.add(holder);
                left -= holders.count(holder);
            }
        }
        return largest;
    }
}
