package org.beefs.honeycomb.store;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.honeycomb.catalog.Catalog;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.state.ReplicaId;
import org.jspecify.annotations.Nullable;

/**
 * The replicas in use, and those recently used with their files still open. Of the latter it holds at most its bound;
 * the one unused for longest goes first. Thread-safe.
 */
final class OpenReplicas {
    /** Damaged replicas that are remembered. */
    private static final int MOST_DAMAGED = 65_536;

    private final ReplicaFiles files;
    private final Catalog catalog;
    private final int bound;
    private final Doubts doubts;
    private final Map<ReplicaId, Replica> used = new HashMap<>();

    /** Unused replicas, the longest unused first. */
    private final Map<ReplicaId, Replica> unused = new LinkedHashMap<>();

    /**
     * Replicas that were damaged when their files were closed: the kernel would tell a new descriptor nothing of what
     * it could not write.
     */
    private final Set<ReplicaId> damaged = new HashSet<>();

    private final CompletableFuture<Void> quiet = new CompletableFuture<>();
    private int uses;
    private boolean closed;
    private volatile boolean inOrder = true;

    OpenReplicas(ReplicaFiles files, Catalog catalog, int bound, Doubts doubts) {
        this.doubts = doubts;
        this.files = files;
        this.catalog = catalog;
        this.bound = bound;
    }

    /**
     * A use of a replica, which ends when this is closed. A use that outlives the method that has begun it ends with
     * {@link #leave}.
     */
    record Use(OpenReplicas open, Replica replica) implements AutoCloseable {
        @Override
        public void close() {
            open.leave(replica);
        }
    }

    /** Uses the replica, looked up on disk. */
    Use use(ReplicaId id) {
        return use(id, replica -> {
            replica.lookUp(files, catalog);
            doubts.settle(replica);
        });
    }

    /**
     * As {@link #use}, without comparing the replica before: for callers that compare it themselves, or do not want its
     * content.
     */
    Use useUnchecked(ReplicaId id) {
        return use(id, replica -> replica.lookUp(files, catalog));
    }

    /**
     * As {@link #use}, for a caller that does not need the file, but may replace it: one that cannot be opened is not
     * looked up then.
     */
    Use useToReplace(ReplicaId id) {
        return use(id, replica -> {
            lookUpUnlessUnreadable(replica);
            doubts.settle(replica);
        });
    }

    /** As {@link #useToReplace}, without comparing the replica before: for callers that remove it. */
    Use useToRemove(ReplicaId id) {
        return use(id, this::lookUpUnlessUnreadable);
    }

    private Use use(ReplicaId id, Consumer<Replica> preparation) {
        Replica replica = begin(id);
        boolean found = false;
        try {
            preparation.accept(replica);
            if (replica.isMissing()) {
                inOrder = false; // its file's room counts as used still, and has to be counted anew
            }
            found = true;
            return new Use(this, replica);
        } finally {
            if (!found) {
                inOrder = false;
                leave(replica);
            }
        }
    }

    private synchronized Replica begin(ReplicaId id) {
        if (closed) {
            throw new PosixException(Errno.ENOTCONN, "the honeycomb has stopped");
        }
        Replica replica = used.computeIfAbsent(id, this::takeUnused);
        useAgain(replica);
        return replica;
    }

    private void lookUpUnlessUnreadable(Replica replica) {
        try {
            replica.lookUp(files, catalog);
        } catch (PosixException e) {
            if (!ReplicaFiles.isOfTheFile(e.errno())) {
                throw e;
            }
            inOrder = false; // what the file takes is not known, and has to be counted anew
        }
    }

    /**
     * As {@link #use}, for a replica whose file is open and that nobody doubts; null for any other. Waits for nothing.
     */
    synchronized @Nullable Use useAtHand(ReplicaId id) {
        Replica inUse = used.get(id);
        Replica known = inUse != null ? inUse : unused.get(id);
        if (closed || known == null || !known.exists() || doubts.concerns(known)) {
            return null;
        }
        if (inUse == null) {
            used.put(id, takeUnused(id));
        }
        useAgain(known);
        return new Use(this, known);
    }

    private Replica takeUnused(ReplicaId id) {
        Replica replica = unused.remove(id);
        return replica == null ? new Replica(id, isDamaged(id)) : replica;
    }

    /** Whether a replica is damaged. When more are than are remembered, none is believed to be on disk any more. */
    private boolean isDamaged(ReplicaId id) {
        return damaged.size() >= MOST_DAMAGED || damaged.contains(id);
    }

    /** Whether every replica was there and could be opened that somebody wanted, and brought to disk. */
    boolean isInOrder() {
        return inOrder;
    }

    /** A further use by somebody who uses it already. */
    synchronized void useAgain(Replica replica) {
        replica.uses++;
        uses++;
    }

    /** Ends a use. */
    void leave(Replica replica) {
        if (replica.isDamaged()) {
            inOrder = false;
        }
        Replica surplus;
        boolean last;
        synchronized (this) {
            replica.uses--;
            uses--;
            surplus = replica.uses == 0 ? retire(replica) : null;
            last = closed && uses == 0;
        }
        if (surplus != null) {
            surplus.close();
        }
        if (last) {
            quiet.complete(null);
        }
    }

    /** Retires a replica that nobody uses any more. Answers it if its file is to be closed now. */
    private @Nullable Replica retire(Replica replica) {
        if (!used.remove(replica.id(), replica) || closed) {
            return replica;
        }
        unused.put(replica.id(), replica);
        if (unused.size() > bound) {
            closeEldest();
        }
        return null;
    }

    /**
     * Closes the eldest file before anybody can open it anew, who would take the descriptor that is left for that of a
     * program that writes it.
     */
    private void closeEldest() {
        Iterator<Replica> eldest = unused.values().iterator();
        Replica closing = eldest.next();
        eldest.remove();
        if (closing.isDamaged()) {
            damaged.add(closing.id());
        }
        closing.close();
    }

    /**
     * Forgets a replica that one of its users has removed: the next user finds it absent; its file is closed after its
     * last use.
     */
    synchronized void forget(Replica replica) {
        used.remove(replica.id(), replica);
        damaged.remove(replica.id());
    }

    /**
     * Refuses new uses and closes what is not in use; the rest is closed after its last use.
     *
     * @return done when nothing is in use any more
     */
    CompletableFuture<Void> close() {
        List<Replica> surplus;
        synchronized (this) {
            closed = true;
            surplus = List.copyOf(unused.values());
            unused.clear();
            if (uses == 0) {
                quiet.complete(null);
            }
        }
        surplus.forEach(Replica::close);
        return quiet.copy();
    }
}
