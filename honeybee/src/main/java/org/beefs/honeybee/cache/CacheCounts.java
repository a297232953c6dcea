package org.beefs.honeybee.cache;

/**
 * What has become of questions to the cache.
 *
 * @param hits were answered
 * @param misses had to be asked of the queen-bee
 * @param nodes inodes that are kept now
 * @param recalled messages of the queen-bee that have taken something away
 */
public record CacheCounts(long hits, long misses, long nodes, long recalled) {}
