package org.beefs.queenbee.hive;

/**
 * The highest inodes that a honeycomb's catalog may know.
 *
 * @param told of the numbers that the queen-bee uses herself; above 0
 * @param given of those that desktops are given
 */
public record HighestKnown(long told, long given) {}
