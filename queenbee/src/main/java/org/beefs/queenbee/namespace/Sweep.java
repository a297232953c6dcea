package org.beefs.queenbee.namespace;

import java.util.function.Consumer;

/**
 * Goes through all inodes, a slice in each pass, so that everybody else is served in between. Belongs to the namespace
 * thread.
 */
public final class Sweep {
    /** Slots of the inodes' table that are looked at in one pass: some milliseconds at most. */
    private static final int SLICE = 4096;

    /** Slots that are looked at between two ticks: a million inodes take a minute. */
    private static final int PART = 65_536;

    private final Namespace namespace;
    private final Consumer<Inode> visitor;
    private boolean running;
    private boolean wantedAgain;
    private int position;

    /** Slots that may be looked at before the next tick; none if the walk began after the last one. */
    private int left;

    /** Whether the way under way goes on without waiting for ticks. */
    private boolean hurried;

    public Sweep(Namespace namespace, Consumer<Inode> visitor) {
        this.namespace = namespace;
        this.visitor = visitor;
    }

    /** Each inode is to be looked at from now on: one way that is under way is followed by another. */
    public void begin() {
        wantedAgain = running;
        running = true;
    }

    /** No inode is to be looked at until the next way begins. */
    public void stop() {
        running = false;
        wantedAgain = false;
        position = 0;
        left = 0;
        hurried = false;
    }

    /** Somebody waits for the end of the way that is under way: one slice follows another. */
    public void hurry() {
        hurried = running;
    }

    public boolean isRunning() {
        return running;
    }

    /** Called now and then. */
    public void tick() {
        left = running ? PART : 0;
    }

    /** Whether a pass would look at any. */
    public boolean hasMore() {
        return running && (hurried || left > 0);
    }

    /** Once in each pass. */
    public void step() {
        if (!hasMore()) {
            return;
        }
        left = Math.max(0, left - SLICE);
        position = namespace.forSome(position, SLICE, visitor);
        if (position == 0) {
            running = wantedAgain;
            wantedAgain = false;
            hurried = false;
            left = running ? left : 0;
        }
    }
}
