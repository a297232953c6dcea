package org.beefs.queenbee.content;

import org.beefs.common.replica.Observations;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.queenbee.session.Session;
import org.jspecify.annotations.Nullable;

/** Who has one file open, and what those who have stopped writing saw last. */
final class OpenInode {
    private int handles;
    private int writers;

    /** The session that alone has had the file open since it was not open; null when there were several. */
    private @Nullable Session only;

    private boolean unreported;
    private @Nullable ReplicaStatus latest;

    void opened(Session session, boolean write) {
        only = handles == 0 || only == session ? session : null;
        handles++;
        writers += write ? 1 : 0;
    }

    void released(boolean write) {
        handles--;
        writers -= write ? 1 : 0;
        if (handles < 0 || writers < 0) {
            throw new IllegalStateException("released more often than opened");
        }
    }

    boolean isOpen() {
        return handles > 0;
    }

    boolean isOpenOnlyBy(Session session) {
        return only == session;
    }

    boolean isBeingWritten() {
        return writers > 0;
    }

    /** A writer has gone without a word, so that only its honeycomb knows what the file is like. */
    void lostReport() {
        unreported = true;
    }

    /**
     * The replica was seen like this. Reports come in any order; the one with the highest observation is the latest.
     */
    void report(ReplicaStatus status) {
        if (latest == null || Observations.isLater(status, latest)) {
            latest = status;
        }
    }

    /** The state after the last write; null when only the honeycomb knows it. */
    @Nullable
    ReplicaStatus finalReport() {
        return unreported ? null : latest;
    }

    /** The file is clean now: what was reported belongs to the past. */
    void settled() {
        unreported = false;
        latest = null;
    }
}
