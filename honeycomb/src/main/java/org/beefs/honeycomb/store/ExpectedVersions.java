package org.beefs.honeycomb.store;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.beefs.common.wire.Fetch;
import org.beefs.honeycomb.state.ReplicaId;

/**
 * Which version of each replica the queen-bee has asked for last, of the requests that are worked on. What she asked
 * for before is not to replace that: she may have been told already that it is here. It may be a lower one, as a file
 * can go back. Checkpoints replace nothing, and do not count. Thread-safe.
 */
final class ExpectedVersions {
    /** @param requests that are worked on and name the replica, of this version or another one */
    private record Expected(long version, int requests) {}

    private final Map<ReplicaId, Expected> expected = new ConcurrentHashMap<>();

    /** A request has come; {@link #end} follows. */
    void begin(Fetch fetch) {
        if (!fetch.getCheckpoint()) {
            expected.merge(
                    ReplicaId.of(fetch.getReplica()),
                    new Expected(fetch.getVersion(), 1),
                    (before, now) -> new Expected(now.version(), before.requests() + 1));
        }
    }

    /** The request is over. */
    void end(Fetch fetch) {
        if (!fetch.getCheckpoint()) {
            expected.computeIfPresent(
                    ReplicaId.of(fetch.getReplica()),
                    (_, last) -> last.requests() == 1 ? null : new Expected(last.version(), last.requests() - 1));
        }
    }

    /** Whether another version was asked for since. */
    boolean isOvertaken(Fetch fetch) {
        Expected last = expected.get(ReplicaId.of(fetch.getReplica()));
        return !fetch.getCheckpoint() && last != null && last.version() != fetch.getVersion();
    }
}
