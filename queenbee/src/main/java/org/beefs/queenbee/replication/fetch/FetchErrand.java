package org.beefs.queenbee.replication.fetch;

import java.util.List;
import org.beefs.common.wire.Fetches;
import org.beefs.queenbee.hive.Honeycomb;

/**
 * A request to a honeycomb that makes copies.
 *
 * @param number distinguishes requests that name the same inodes
 * @param inodes in the order of the request
 * @param bytes for which it counts of what may be copied at the same time
 * @param begun when it was made, by the boot clock
 */
public record FetchErrand(
        long number, Honeycomb honeycomb, Fetches fetches, List<Long> inodes, long bytes, long begun) {}
