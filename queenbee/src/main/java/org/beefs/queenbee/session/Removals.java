package org.beefs.queenbee.session;

/**
 * Counts the names that a session has taken out of one directory, one after the other: who has taken some goes on.
 * Belongs to the namespace thread.
 */
public final class Removals {
    private long directory;
    private int count;

    /** One more is taken out of this directory. How many these are now. */
    public int take(long from) {
        count = from == directory ? count + 1 : 1;
        directory = from;
        return count;
    }
}
