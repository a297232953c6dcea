package org.beefs.queenbee.lease;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.beefs.common.request.CurrentRequest;
import org.beefs.queenbee.namespace.Touched;
import org.beefs.queenbee.session.Session;
import org.jspecify.annotations.Nullable;

/**
 * The leases of others that are recalled for one request, over all its runs. From the first recall until the request is
 * carried out or has failed nobody is granted a lease on any of it: so it is clear once all have answered, and stays
 * so. One exception: the answer may grant the asking session leases on attributes. Belongs to the namespace thread.
 */
public final class Clearance implements Wait {
    private final @Nullable Session session;
    private final boolean waitsForNobody;
    private final long request = CurrentRequest.id();

    /** Holders that have not answered yet. */
    final Set<Holder> awaited = new LinkedHashSet<>(0);

    /**
     * Entries that were recalled, whether anybody had them or not. Empty before the first recall and after the request.
     */
    final Set<Touched.Entry> entries = new LinkedHashSet<>(0);

    /** Inodes on which leases were recalled, whether anybody had one or not. */
    final Set<Long> inodes = new LinkedHashSet<>(0);

    /** The session from which all leases were recalled; null as long as there is none. */
    @Nullable
    Session everythingOf;

    private @Nullable Touched touched;
    private Runnable whenClear = () -> {};

    /** @param session who asks, and whose own leases are not in the way; null for what nobody's session asks */
    public Clearance(@Nullable Session session) {
        this(session, false);
    }

    private Clearance(@Nullable Session session, boolean waitsForNobody) {
        this.session = session;
        this.waitsForNobody = waitsForNobody;
    }

    /** For a change that is made already, lost or decided by a desktop: leases are recalled, nobody is waited for. */
    public static Clearance waitingForNobody(@Nullable Session session) {
        return new Clearance(session, true);
    }

    /** The request's id in logs. */
    long request() {
        return request;
    }

    /** Sessions that have not let go yet. */
    public List<Session> awaited() {
        return awaited.stream().map(holder -> holder.session).toList();
    }

    /**
     * For a recall that no request waits for. {@code whenClear} runs when all have let go, and before anybody is
     * granted a lease again.
     */
    static Clearance then(Runnable whenClear) {
        Clearance clearance = new Clearance(null);
        clearance.whenClear = whenClear;
        return clearance;
    }

    void runWhenClear() {
        whenClear.run();
    }

    public boolean waitsForNobody() {
        return waitsForNobody;
    }

    /** What the request has touched by its change; null as long as it has made none. */
    public @Nullable Touched touched() {
        return touched;
    }

    void setTouched(Touched made) {
        touched = made;
    }

    @Nullable
    Session session() {
        return session;
    }

    boolean isOf(Session other) {
        return session == other;
    }

    boolean isEmpty() {
        return entries.isEmpty() && inodes.isEmpty() && everythingOf == null;
    }
}
