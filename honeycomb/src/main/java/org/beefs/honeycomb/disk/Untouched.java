package org.beefs.honeycomb.disk;

import org.beefs.common.wire.SetTimes;
import org.beefs.common.wire.Timestamp;

/**
 * Replica files whose content nothing has changed since the store made them. A replica is made when somebody may soon
 * write it, which is no change of the file; so it gets an mtime that no change leaves behind, and that lasts as long as
 * the content does.
 */
public final class Untouched {
    /** One nanosecond into the oldest second that every file system with times to the nanosecond can store: in 1901. */
    private static final Timestamp MTIME = Timestamp.newBuilder()
            .setSeconds(Integer.MIN_VALUE + 1L)
            .setNanos(1)
            .build();

    private static final SetTimes MARK = SetTimes.newBuilder().setMtime(MTIME).build();

    private Untouched() {}

    /** Marks a file that was just made. */
    public static void mark(ReplicaFile file) {
        file.setTimes(MARK);
    }

    /** Whether a file is still as it was marked. */
    public static boolean is(FileStatus status) {
        return status.size() == 0 && status.mtime().equals(MTIME);
    }
}
