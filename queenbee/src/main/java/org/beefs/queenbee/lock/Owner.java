package org.beefs.queenbee.lock;

/**
 * Who holds a lock. Locks of one owner never conflict with one another, and those of different kinds never meet.
 *
 * @param session of the desktop
 * @param mount the session's number of the mount
 * @param id the number that the mount's kernel gave to the owner
 */
public record Owner(long session, long mount, long id, Kind kind) {
    /** The two families of locks, which know nothing of each other. */
    public enum Kind {
        /**
         * Locks of fcntl(2): owned by a process, or by an open file description (OFD), which the kernel does not tell
         * apart.
         */
        RECORD,
        /** Locks of flock(2): owned by an open file description, always on the whole file. */
        FLOCK
    }
}
