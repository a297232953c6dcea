package org.beefs.queenbee.hive;

import java.util.List;
import org.beefs.common.wire.FolderStart;
import org.beefs.common.wire.HoneycombOffer;

/**
 * The last start of a honeycomb's folder that was seen: it tells the folder from copies of it.
 *
 * @param boot the folder's boot counter, the highest seen
 * @param process the one that showed it
 * @param number when it was, in nanoseconds since 1970; 0 when that was not told
 * @param marked when the folder was last marked as in use since then, likewise
 * @param lock the one that the process held on the folder; empty when that was not told
 */
public record LastStart(long boot, long process, long number, long marked, String lock) {
    static final LastStart NONE = new LastStart(0, 0, 0, 0, "");

    /** Characters of a lock that are kept; no desktop tells so many. */
    private static final int LONGEST_LOCK = 256;

    static LastStart of(HoneycombOffer offer, long process) {
        int starts = offer.getStartsCount();
        FolderStart last = starts == 0 ? FolderStart.getDefaultInstance() : offer.getStarts(starts - 1);
        return new LastStart(
                offer.getBoot(),
                process,
                last.getNumber(),
                last.getMarked(),
                offer.getLock().length() > LONGEST_LOCK ? "" : offer.getLock());
    }

    /** Whether the process has certainly ended, because one that was started later holds the lock that it had. */
    public boolean isOver(HoneycombOffer later) {
        return !lock.isEmpty() && lock.equals(later.getLock()) && later.getBoot() > boot;
    }

    /** The same start, of a folder that was marked as in use later. */
    LastStart markedAt(long later) {
        return new LastStart(boot, process, number, Math.max(marked, later), lock);
    }

    /**
     * Whether the folder was in use after one with these starts was copied from it. Programs that do not mark folders
     * take away what was known of that.
     */
    public boolean wasMarkedSince(List<FolderStart> starts) {
        return starts.stream()
                .anyMatch(known -> known.getBoot() == boot && known.hasMarked() && known.getMarked() < marked);
    }

    /** Whether a folder with these starts has had this one, as far as can be told. */
    public boolean isAmong(List<FolderStart> starts) {
        boolean untold = number == 0 || starts.isEmpty() || starts.getFirst().getBoot() > boot;
        return untold || starts.stream().anyMatch(known -> known.getBoot() == boot && known.getNumber() == number);
    }
}
