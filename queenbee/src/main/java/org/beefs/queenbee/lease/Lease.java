package org.beefs.queenbee.lease;

/** What a session may cache of an inode until it is recalled. */
enum Lease {
    /** The entries of a directory that were answered under it, and their absence. */
    DIRECTORY(0),
    ATTRIBUTES(1),
    /**
     * To hold back for a moment what is written to the file, of which nobody else knows anything. At most one session
     * has it.
     */
    WRITE(2),
    /**
     * To change the inode, and what is in a directory, before asking. At most one session has it, and nobody else has
     * been told anything of the inode.
     */
    DELEGATION(3);

    /** Below 4. */
    final int code;

    Lease(int code) {
        this.code = code;
    }
}
