package org.beefs.queenbee.replication.fetch;

import java.util.List;
import java.util.Optional;
import org.beefs.queenbee.hive.Honeycomb;

/**
 * The work of a honeycomb at present.
 *
 * @param underWay what it is copying, if it is
 * @param waiting versions that it is to copy after these
 * @param leaving its replicas that were chosen to leave because it is short of space
 */
public record HoneycombWork(Honeycomb honeycomb, Optional<FetchErrand> underWay, int waiting, int leaving) {
    /** Inodes of the files that it is copying. */
    public List<Long> copying() {
        return underWay.map(FetchErrand::inodes).orElse(List.of());
    }

    public boolean isAny() {
        return underWay.isPresent() || waiting > 0 || leaving > 0;
    }
}
