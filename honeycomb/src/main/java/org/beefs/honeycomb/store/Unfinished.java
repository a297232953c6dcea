package org.beefs.honeycomb.store;

import java.time.Duration;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashSet;
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
 * What earlier processes have left stays, because a large file may take longer to come than a desktop is ever awake;
 * but only as long as nothing else needs the room. At most as many as there are incoming files. Thread-safe.
 */
final class Unfinished {
    private static final Logger LOG = LoggerFactory.getLogger(Unfinished.class);

    /** What has less is not kept over a start: it comes again in moments. Bytes that it takes. */
    private static final long LEAST_KEPT = 1 << 20;

    /** Files that are kept over a start: the largest. */
    private static final int MOST_KEPT = 1024;

    /** What nothing was written to for so long, nobody may want here any more. */
    private static final Duration LIFETIME = Duration.ofDays(30);

    private final ReplicaFiles files;
    private final Space space;
    private final Clock clock;

    /** Bytes that are counted of each replica. */
    private final Map<ReplicaId, Long> counted = new ConcurrentHashMap<>();

    /** What earlier processes have left and nobody has gone on with; the largest comes first. Guarded by this. */
    private final Set<ReplicaId> left = new LinkedHashSet<>();

    Unfinished(ReplicaFiles files, Space space, Clock clock) {
        this.files = files;
        this.space = space;
        this.clock = clock;
    }

    private record Found(ReplicaId id, FileStatus status) {}

    /** Finds what earlier processes have left, and keeps of it what may be of use and has room. */
    void find() {
        files.unfinished().stream()
                .flatMap(this::look)
                .sorted(Comparator.comparingLong(
                        (Found found) -> -found.status().allocated()))
                .forEach(this::keepOrDiscard);
        space.askForRoom(this::giveUpOne);
        while (space.available() == 0 && giveUpOne()) {
            LOG.debug("there is no room for what has come of a version before this start");
        }
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

    private synchronized void keepOrDiscard(Found found) {
        long bytes = found.status().allocated();
        long age = clock.now().getEpochSecond() - found.status().mtime().getSeconds();
        if (bytes < LEAST_KEPT || left.size() == MOST_KEPT || age > LIFETIME.toSeconds()) {
            tryToDiscard(found.id());
        } else {
            left.add(found.id());
            counted.put(found.id(), bytes);
            space.countFound(bytes);
        }
    }

    /** Somebody goes on with what may be left; it is not given up any more. */
    synchronized void claim(ReplicaId id) {
        left.remove(id);
    }

    /** Discards something that an earlier process has left; whether there was anything. */
    private synchronized boolean giveUpOne() {
        Iterator<ReplicaId> all = left.iterator();
        if (!all.hasNext()) {
            return false;
        }
        ReplicaId id = all.next();
        all.remove();
        tryToDiscard(id);
        return true;
    }

    private void tryToDiscard(ReplicaId id) {
        try {
            discard(id);
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
        Long before = counted.remove(id);
        if (before != null) {
            space.countUnfinished(-before);
        }
    }
}
