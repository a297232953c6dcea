package org.beefs.honeybee.filesystem.content;

import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.honeybee.data.DelayedFile;
import org.jspecify.annotations.Nullable;

/**
 * What one handle was told of writes that have come to nothing after they were answered. What came to nothing before it
 * was opened, by whomever it was written, is no matter of it. Thread-safe.
 */
final class FailuresTold {
    private final UnsyncedChanges unsynced;

    // Guarded by this.
    private @Nullable DelayedFile watched;
    private int failures;
    private int losses;

    /**
     * @param unsynced of the file
     * @param written what is held back of the file; null when nothing is
     */
    FailuresTold(UnsyncedChanges unsynced, @Nullable DelayedFile written) {
        this.unsynced = unsynced;
        this.losses = unsynced.losses();
        watch(written);
    }

    /** The handle was opened while this was held back. */
    synchronized void watch(@Nullable DelayedFile written) {
        watched = written;
        failures = written == null ? 0 : written.failures();
    }

    /**
     * Fails if something has come to nothing that was not told.
     *
     * @param written what is held back of the file now; null when nothing is, as all who wrote have closed it
     */
    synchronized void tell(@Nullable DelayedFile written) {
        check(written == null ? watched : written, true);
    }

    /** As {@link #tell}, but it is told again. */
    synchronized void show(@Nullable DelayedFile written) {
        check(written, false);
    }

    private void check(@Nullable DelayedFile written, boolean told) {
        PosixException failure = written == null ? null : failed(written, told);
        if (failure == null) {
            failure = lost(told);
        }
        if (failure != null) {
            throw failure;
        }
    }

    private @Nullable PosixException failed(DelayedFile written, boolean told) {
        PosixException missed = watched == null ? null : untold(watched, told);
        if (missed != null || watched == written) {
            return missed;
        }
        watched = written; // opened to write since
        failures = 0;
        return untold(written, told);
    }

    private @Nullable PosixException untold(DelayedFile written, boolean told) {
        PosixException last = written.lastFailure();
        int present = written.failures();
        if (last == null || present == failures) {
            return null;
        }
        failures = told ? present : failures;
        return new PosixException(last.errno(), last.getMessage());
    }

    private @Nullable PosixException lost(boolean told) {
        int present = unsynced.losses();
        if (present == losses) {
            return null;
        }
        losses = told ? present : losses;
        return new PosixException(
                Errno.EIO, "what was written may have gone with the power of the desktop that had it");
    }
}
