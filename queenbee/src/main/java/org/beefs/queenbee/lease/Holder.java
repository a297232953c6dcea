package org.beefs.queenbee.lease;

import java.util.LinkedHashSet;
import java.util.Set;
import org.beefs.queenbee.session.Session;
import org.jspecify.annotations.Nullable;

/** A session's leases, and what it has yet to be told of recalls. Belongs to the namespace thread. */
final class Holder {
    static final int NONE = -1;

    final Session session;

    /** Where its leases are in the table. */
    int slot;

    /** Those that are being recalled as a whole, or {@link #NONE}. */
    int former = NONE;

    /** Whether that is still to be said. */
    boolean tellsFormer;

    /** Recalls that are still to be said. At most as many as requests may be parked. */
    final Set<Clearance> unsaid = new LinkedHashSet<>();

    /** What was said last and is not answered yet. */
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
