package org.beefs.queenbee.records;

import java.util.List;
import org.beefs.common.wire.Records;
import org.beefs.queenbee.hive.Honeycomb;

/**
 * Records for one honeycomb, as they were at a moment.
 *
 * @param number tells it from others
 * @param asOf journal sequence of that moment; it leaves when all up to there is on disk, so that no catalog ever knows
 *     what the queen-bee has lost
 * @param inodes all that it is about
 */
public record RecordBatch(long number, Honeycomb honeycomb, Records records, long asOf, List<Long> inodes) {}
