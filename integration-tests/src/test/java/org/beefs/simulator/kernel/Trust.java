package org.beefs.simulator.kernel;

/** What one operation of a program took from the kernel's memory instead of asking the daemon. */
public final class Trust {
    private boolean remembered;
    private boolean unwatched;

    /** Something was taken from memory. */
    void remembers(boolean daemonRuns) {
        remembered = true;
        unwatched |= !daemonRuns;
    }

    public boolean isRemembered() {
        return remembered;
    }

    /** Whether that was while the daemon could not hear of recalls: stopped, asleep, or not yet awake again. */
    public boolean isUnwatched() {
        return unwatched;
    }
}
