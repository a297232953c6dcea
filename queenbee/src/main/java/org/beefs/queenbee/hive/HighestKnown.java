package org.beefs.queenbee.hive;

import org.beefs.queenbee.journal.Numbering;

/**
 * The highest inodes that a honeycomb's catalog may know.
 *
 * @param told of the numbers that the queen-bee uses herself; above 0
 * @param given of those that desktops are given
 * @param change the last change that it may have been told of
 */
public record HighestKnown(long told, long given, long change) {
    /** Whether it may know an inode. */
    public boolean includes(long inode) {
        return inode <= (Numbering.isGiven(inode) ? given : told);
    }
}
