package org.beefs.queenbee.lease;

/** What a session may cache of an inode until it is recalled. */
enum Lease {
    /** The entries of a directory that were answered under it, and their absence. */
    DIRECTORY(0),
    ATTRIBUTES(1),
    /**
     * Of at most one session: to hold back for a moment what is written to the file, of which nobody else knows
     * anything.
     */
    WRITE(2),
    /**
     * Of at most one session: to change it, and what is in a directory, before asking. Nobody else has been told
     * anything of it.
     */
    DELEGATION(3);

    /** Below 4. */
    final int code;

    Lease(int code) {
        this.code = code;
    }
}
