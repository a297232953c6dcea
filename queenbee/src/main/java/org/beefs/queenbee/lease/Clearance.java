package org.beefs.queenbee.lease;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.beefs.common.request.CurrentRequest;
import org.beefs.queenbee.namespace.Touched;
import org.beefs.queenbee.session.Session;
import org.jspecify.annotations.Nullable;

/**
 * What others were asked to let go of for the sake of one request, over all its runs. From the first recall until the
 * request is carried out or has failed nobody is granted a lease on any of it: so it is clear once all have answered,
 * and stays so. Only who has asked is, on attributes, by the answer. Belongs to the namespace thread.
 */
public final class Clearance implements Wait {
    private final @Nullable Session session;
    private final boolean ofThePast;
    private final long request = CurrentRequest.id();

    /** Whose answers are missing. */
    final Set<Holder> awaited = new LinkedHashSet<>(0);

    /** What was recalled, whether anybody had it or not. Empty before the first recall and when it is over. */
    final Set<Touched.Entry> entries = new LinkedHashSet<>(0);

    final Set<Long> inodes = new LinkedHashSet<>(0);

    /** Likewise from whom everything was recalled, whatever it was. */
    @Nullable
    Session everythingOf;

    private @Nullable Touched made;
    private Runnable whenClear = () -> {};

    /** @param session who asks, and whose own leases are not in the way; null for what nobody's session asks */
    public Clearance(@Nullable Session session) {
        this(session, false);
    }

    private Clearance(@Nullable Session session, boolean ofThePast) {
        this.session = session;
        this.ofThePast = ofThePast;
    }

    /** For a change that was made before, and is lost: who knew of it knows it still, so that nobody is waited for. */
    public static Clearance ofThePast(@Nullable Session session) {
        return new Clearance(session, true);
    }

    /** In logs. */
    long request() {
        return request;
    }

    /** Who has not let go yet. */
    public List<Session> awaited() {
        return awaited.stream().map(holder -> holder.session).toList();
    }

    /** For what no request waits for: done when all have let go, and before anybody is granted a lease again. */
    static Clearance then(Runnable whenClear) {
        Clearance clearance = new Clearance(null);
        clearance.whenClear = whenClear;
        return clearance;
    }

    void clear() {
        whenClear.run();
    }

    public boolean isOfThePast() {
        return ofThePast;
    }

    /** What the request has touched by its change; null as long as it has made none. */
    public @Nullable Touched made() {
        return made;
    }

    void made(Touched touched) {
        made = touched;
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
