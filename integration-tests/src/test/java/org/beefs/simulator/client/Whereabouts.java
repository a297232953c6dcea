package org.beefs.simulator.client;

/** Where primaries are, as far as the queen-bee says; she may not run, or not know. */
public interface Whereabouts {
    /** Whether an inode's primary certainly is on the client's desktop. */
    boolean isHere(long inode);

    /** Whether it certainly is on another one. */
    boolean isElsewhere(long inode);
}
