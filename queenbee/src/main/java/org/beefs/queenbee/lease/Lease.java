package org.beefs.queenbee.lease;

/** What a session may cache of an inode until it is recalled. */
enum Lease {
    /** The entries of a directory that were answered under it, and their absence. */
    DIRECTORY,
    ATTRIBUTES
}
