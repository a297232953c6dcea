package org.beefs.queenbee.lock;

/**
 * A lock that is held. Of one owner and inode no two overlap, and none that touch have the same mode.
 *
 * @param number never used for another
 * @param pid of the process that asked for it, on its desktop
 */
public record Lock(long number, long inode, Owner owner, Mode mode, Range range, int pid) {
    boolean conflictsWith(Wanted wanted) {
        return mode.conflictsWith(wanted.mode()) && range.overlaps(wanted.range());
    }
}
