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
 */
public record LastStart(long boot, long process, long number) {
    static final LastStart NONE = new LastStart(0, 0, 0);

    static LastStart of(HoneycombOffer offer, long process) {
        int starts = offer.getStartsCount();
        return new LastStart(
                offer.getBoot(),
                process,
                starts == 0 ? 0 : offer.getStarts(starts - 1).getNumber());
    }

    /** Whether a folder with these starts has had this one, as far as can be told. */
    boolean isAmong(List<FolderStart> starts) {
        boolean untold = number == 0 || starts.isEmpty() || starts.getFirst().getBoot() > boot;
        return untold || starts.stream().anyMatch(known -> known.getBoot() == boot && known.getNumber() == number);
    }
}
