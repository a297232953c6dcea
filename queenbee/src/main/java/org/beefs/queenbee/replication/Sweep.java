package org.beefs.queenbee.replication;

import java.util.function.Consumer;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;

/** Goes through all inodes, a part at a time. Belongs to the namespace thread. */
final class Sweep {
    private final Namespace namespace;
    private final int part;
    private final Consumer<Inode> visitor;
    private boolean running;
    private boolean wantedAgain;
    private int position;

    Sweep(Namespace namespace, int part, Consumer<Inode> visitor) {
        this.namespace = namespace;
        this.part = part;
        this.visitor = visitor;
    }

    /** Each inode is to be looked at from now on: one way that is under way is followed by another. */
    void begin() {
        wantedAgain = running;
        running = true;
    }

    boolean isRunning() {
        return running;
    }

    void step() {
        if (!running) {
            return;
        }
        position = namespace.forSome(position, part, visitor);
        if (position == 0) {
            running = wantedAgain;
            wantedAgain = false;
        }
    }
}
