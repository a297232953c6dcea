package org.beefs.queenbee.lease;

import java.util.LinkedHashSet;
import java.util.Set;
import org.beefs.queenbee.session.Session;
import org.jspecify.annotations.Nullable;

/** A session's leases, and what it has yet to be told of recalls. Belongs to the namespace thread. */
final class Holder {
    static final int NONE = -1;

    final Session session;

    /** The slot of its leases in the table. */
    int slot;

    /** The slot of leases that are being recalled as a whole, or {@link #NONE}. */
    int former = NONE;

    /** Whether the desktop has yet to be told of the recall as a whole. */
    boolean tellsFormer;

    /**
     * Recalls that the desktop has yet to be told: those of parked requests, and those that nobody waits for, at most
     * one for each inode under recall and for each open that a desktop has told of.
     */
    final Set<Clearance> unsaid = new LinkedHashSet<>();

    /** The recall that was sent last and is not answered yet. */
    @Nullable
    SentRecall underWay;

    Holder(Session session, int slot) {
        this.session = session;
        this.slot = slot;
    }

    boolean hasUnsaid() {
        return tellsFormer || !unsaid.isEmpty();
    }

    boolean isAwaited() {
        return hasUnsaid() || underWay != null;
    }
}
