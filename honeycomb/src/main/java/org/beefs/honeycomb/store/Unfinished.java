package org.beefs.honeycomb.store;

import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.honeycomb.disk.FileStatus;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Incoming files and their space: what nobody works on counts as used, and of what is worked on the rest is reserved.
 * What earlier processes have left counts as free, until somebody goes on with it. At most as many as there are
 * incoming files. Thread-safe.
 */
final class Unfinished {
    private static final Logger LOG = LoggerFactory.getLogger(Unfinished.class);

    private final ReplicaFiles files;
    private final Space space;
    private final OldAttempts old;

    /** Bytes that are counted of each replica. */
    private final Map<ReplicaId, Long> counted = new ConcurrentHashMap<>();

    /** Replicas whose incoming file somebody works on: each has one. */
    private final Set<ReplicaId> busy = ConcurrentHashMap.newKeySet();

    Unfinished(ReplicaFiles files, Space space, Clock clock) {
        this.files = files;
        this.space = space;
        this.old = new OldAttempts(clock, this::tryToDiscard);
    }

    private record Found(ReplicaId id, FileStatus status) {}

    /** Finds what earlier processes have left, and keeps of it what may be of use. */
    void find() {
        files.unfinished().stream()
                .flatMap(this::look)
                .sorted(Comparator.comparingLong(
                        (Found found) -> -found.status().allocated()))
                .forEach(this::keepOrDiscard);
        space.countAsFree(old);
    }

    /** Takes from it that it is a version, which it may say: it is none before it is compared with one. */
    private Stream<Found> look(ReplicaId id) {
        try (ReplicaFile file = files.incoming(id)) {
            file.describe(ReplicaDescription.getDefaultInstance());
            return Stream.of(new Found(id, file.status()));
        } catch (PosixException e) {
            LOG.debug("what has come of {} is not kept: {}", id, e.getMessage());
            tryToDiscard(id);
            return Stream.empty();
        }
    }

    private void keepOrDiscard(Found found) {
        if (!old.add(found.id(), found.status().allocated(), found.status().mtime())) {
            tryToDiscard(found.id());
        }
    }

    /** Whether nobody else works on the replica's incoming file; then the caller does, until {@link #letGo}. */
    boolean hold(ReplicaId id) {
        return busy.add(id);
    }

    void letGo(ReplicaId id) {
        busy.remove(id);
    }

    /** Who holds it goes on with what an earlier process may have left. */
    void claim(ReplicaId id) {
        long bytes = old.remove(id);
        if (bytes != 0) {
            counted.put(id, bytes);
            space.countUnfinished(bytes);
        }
    }

    /** Discards what has come, unless somebody works on it. */
    void discardUnlessHeld(ReplicaId id) {
        if (hold(id)) {
            try {
                discard(id);
            } finally {
                letGo(id);
            }
        }
    }

    private void tryToDiscard(ReplicaId id) {
        try {
            discardUnlessHeld(id);
        } catch (PosixException e) {
            LOG.debug("what has come of {} is not discarded: {}", id, e.getMessage());
        }
    }

    /** Bytes of an incoming file that are counted as used. */
    long bytes(ReplicaId id) {
        return counted.getOrDefault(id, 0L);
    }

    /** As {@link ReplicaFiles#incoming}; {@link #leave} follows. */
    ReplicaFile open(ReplicaId id) {
        ReplicaFile file = files.incoming(id);
        counted.putIfAbsent(id, 0L);
        return file;
    }

    /** Counts what a file takes on which nobody works any more, if it is still incoming. */
    void leave(ReplicaId id, ReplicaFile file) {
        counted.computeIfPresent(id, (_, before) -> {
            long now = file.status().allocated();
            space.countUnfinished(now - before);
            return now;
        });
    }

    /** As {@link ReplicaFiles#install}. */
    void install(ReplicaId id) {
        files.install(id);
        forget(id);
    }

    /** As {@link ReplicaFiles#discardIncoming}. */
    void discard(ReplicaId id) {
        files.discardIncoming(id);
        forget(id);
    }

    private void forget(ReplicaId id) {
        old.remove(id);
        Long before = counted.remove(id);
        if (before != null) {
            space.countUnfinished(-before);
        }
    }
}
