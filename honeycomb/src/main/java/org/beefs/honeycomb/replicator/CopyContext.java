package org.beefs.honeycomb.replicator;

import org.beefs.honeycomb.store.Arrivals;

/**
 * What all copies of one request share.
 *
 * @param arrivals where versions come to be
 * @param disk where work is done that waits for the disk
 * @param progress how far earlier requests have come with files
 * @param admission is asked before content is copied
 */
record CopyContext(Arrivals arrivals, DiskTasks disk, Progress progress, Admission admission) {
    /** For content that was admitted already. */
    CopyContext admitted() {
        return new CopyContext(arrivals, disk, progress, Admission.GIVEN);
    }
}
