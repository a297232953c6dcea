package org.beefs.honeybee.fuse.exchange;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.Credentials;
import org.beefs.honeybee.mount.Callers;

/**
 * Remembers for a millisecond who a thread was: a program asks for one thing after the other, and to find its groups
 * takes longer than many an answer. Linux itself has judged each request by the groups of that moment. So who has left
 * a group is let in nowhere, and who joins one without another user ID, group ID or thread may be refused for that long
 * what only the new group allows. Thread-safe.
 */
public final class RecentCallers implements Callers {
    private static final long LIFETIME = TimeUnit.MILLISECONDS.toNanos(1);

    /** How many threads are remembered; a power of two. */
    private static final int PLACES = 16;

    private final Callers callers;
    private final Clock clock;
    private final AtomicReferenceArray<Known> places = new AtomicReferenceArray<>(PLACES);

    public RecentCallers(Callers callers, Clock clock) {
        this.callers = callers;
        this.clock = clock;
    }

    /** The credentials that a thread has until a time. */
    private record Known(int pid, Credentials credentials, long end) {
        boolean is(int thread, int uid, int gid) {
            return pid == thread && credentials.getUid() == uid && credentials.getGid() == gid;
        }
    }

    @Override
    public Credentials credentials(int uid, int gid, int pid) {
        int place = pid & (PLACES - 1);
        long now = clock.bootNanos();
        Known known = places.get(place);
        if (known != null && known.is(pid, uid, gid) && now < known.end()) {
            return known.credentials();
        }
        Credentials found = callers.credentials(uid, gid, pid);
        places.set(place, new Known(pid, found, now + LIFETIME));
        return found;
    }

    @Override
    public State state(int pid) {
        return callers.state(pid);
    }

    @Override
    public boolean isExiting(int pid) {
        return callers.isExiting(pid);
    }
}
