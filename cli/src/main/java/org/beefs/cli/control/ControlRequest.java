package org.beefs.cli.control;

import org.jspecify.annotations.Nullable;

/**
 * What a tool asks of a daemon.
 *
 * @param operation what to do
 * @param path for mount and umount: where, absolute and without symbolic links
 */
public record ControlRequest(Operation operation, @Nullable String path) {
    /** What can be asked. */
    public enum Operation {
        /** What the daemon is and does. */
        STATUS,
        /** Mount the hive at the path, and remember it. */
        MOUNT,
        /** Unmount what is at the path, and forget it. */
        UMOUNT,
        /** Stop cleanly; the answer comes before that. */
        STOP
    }

    public static ControlRequest of(Operation operation) {
        return new ControlRequest(operation, null);
    }
}
