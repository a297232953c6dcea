package org.beefs.simulator.kernel;

/** What one operation of a program took from the kernel's memory instead of asking the daemon. */
public final class Trust {
    private boolean remembered;
    private boolean unwatched;
    private boolean overtaken;

    /** Something was taken from memory. */
    void remembers(boolean daemonRuns) {
        remembered = true;
        unwatched |= !daemonRuns;
    }

    /**
     * The kernel was told to forget while it asked, so that it did not take over what was answered, and went on with
     * what it had.
     */
    void overtaken() {
        remembered = true;
        overtaken = true;
    }

    public boolean isRemembered() {
        return remembered;
    }

    /**
     * Whether it may be of long ago: taken while the daemon could not hear of recalls (stopped, asleep, or not yet
     * awake again), or instead of an answer that was not taken over.
     */
    public boolean mayBeOld() {
        return unwatched || overtaken;
    }
}
