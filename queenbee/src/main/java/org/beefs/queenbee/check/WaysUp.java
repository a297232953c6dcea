package org.beefs.queenbee.check;

import java.util.HashSet;
import java.util.Set;
import org.beefs.queenbee.namespace.Inode;

/**
 * The ways up from directories, for one part of a check. A user may make a chain of a million directories, so a way is
 * followed only to where an earlier one was seen to end. Repairs of the same part may put more on such a way, but never
 * a loop. Belongs to the namespace thread.
 */
final class WaysUp {
    /** Of a way one directory in so many is remembered: a million directories are not to take much memory. */
    private static final int STRIDE = 16;

    /** From these a way up ends, mostly at the root. */
    private final Set<Inode> ending = new HashSet<>();

    private long steps;

    /**
     * Whether the way up from a directory comes back to it. One that runs into another loop ends where two walkers
     * meet.
     */
    boolean isInside(Inode directory) {
        Inode slow = directory;
        Inode fast = directory;
        while (true) {
            for (int step = 0; step < 2; step++) {
                Inode up = up(fast);
                if (up == fast || ending.contains(up)) {
                    remember(directory);
                    return false;
                }
                if (up == directory) {
                    return true;
                }
                fast = up;
            }
            slow = slow.directory().parent();
            if (slow == fast) {
                return false;
            }
        }
    }

    private void remember(Inode directory) {
        Inode at = directory;
        for (int step = 0; !ending.contains(at) && at.directory().parent() != at; step++) {
            if (step % STRIDE == 0) {
                ending.add(at);
            }
            at = at.directory().parent();
        }
    }

    private Inode up(Inode directory) {
        steps++;
        return directory.directory().parent();
    }

    /** Steps that were made so far; for tests. */
    long steps() {
        return steps;
    }
}
