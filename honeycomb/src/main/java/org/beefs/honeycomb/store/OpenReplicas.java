package org.beefs.honeycomb.store;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.honeycomb.state.ReplicaId;

/**
 * The replicas in use, and the recently used ones with their files still open. Holds at most its bound of replicas, or as
 * many as are in use at a time when those are more; the one unused for longest goes first. Thread-safe.
 */
final class OpenReplicas {
    private final ReplicaFiles files;
    private final int bound;
    private final Map<ReplicaId, Replica> replicas = new LinkedHashMap<>(16, 0.75f, true);
    private final CompletableFuture<Void> quiet = new CompletableFuture<>();
    private int pinned;
    private boolean closed;
    private volatile boolean inOrder = true;

    OpenReplicas(ReplicaFiles files, int bound) {
        this.files = files;
        this.bound = bound;
    }

    /** The replica, looked up on disk, for use until {@link #unpin}. */
    Replica pin(ReplicaId id) {
        Replica replica;
        synchronized (this) {
            if (closed) {
                throw new PosixException(Errno.ENOTCONN, "the honeycomb has stopped");
            }
            replica = replicas.computeIfAbsent(id, Replica::new);
            replica.pins++;
            pinned++;
        }
        boolean found = false;
        try {
            replica.lookUp(files);
            found = true;
            return replica;
        } finally {
            if (!found) {
                inOrder = false;
                unpin(replica);
            }
        }
    }

    /** Whether every replica could be opened that somebody wanted. */
    boolean isInOrder() {
        return inOrder;
    }

    /** A further use by somebody who uses it already. */
    synchronized void pinAgain(Replica replica) {
        replica.pins++;
        pinned++;
    }

    /** Ends a use. */
    void unpin(Replica replica) {
        List<Replica> unused = List.of();
        boolean last;
        synchronized (this) {
            replica.pins--;
            pinned--;
            if (replica.pins == 0 && replicas.get(replica.id()) != replica) {
                unused = List.of(replica);
            } else if (closed || replicas.size() > bound) {
                unused = takeUnused(closed ? 0 : bound);
            }
            last = closed && pinned == 0;
        }
        unused.forEach(Replica::close);
        if (last) {
            quiet.complete(null);
        }
    }

    /** A replica that was removed: the next user finds it absent; its file is closed after its last use. */
    synchronized void forget(Replica replica) {
        replicas.remove(replica.id(), replica);
    }

    /**
     * Refuses new uses and closes what is not in use; the rest is closed after its last use.
     *
     * @return done when nothing is in use any more
     */
    CompletableFuture<Void> close() {
        List<Replica> unused;
        synchronized (this) {
            closed = true;
            unused = takeUnused(0);
            if (pinned == 0) {
                quiet.complete(null);
            }
        }
        unused.forEach(Replica::close);
        return quiet.copy();
    }

    private List<Replica> takeUnused(int keep) {
        List<Replica> unused = new ArrayList<>();
        Iterator<Replica> eldest = replicas.values().iterator();
        while (replicas.size() > keep && eldest.hasNext()) {
            Replica candidate = eldest.next();
            if (candidate.pins == 0) {
                eldest.remove();
                unused.add(candidate);
            }
        }
        return unused;
    }
}
