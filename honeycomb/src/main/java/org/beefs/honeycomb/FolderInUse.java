package org.beefs.honeycomb;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.state.Identity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Marks the folder as in use now and then, so that the queen-bee knows a copy of it that was made before, also if the
 * daemon was not started again since. Thread-safe.
 */
final class FolderInUse {
    /** From one mark to the next. A mark is a small file that is synced. */
    static final Duration INTERVAL = Duration.ofMinutes(10);

    private static final Logger LOG = LoggerFactory.getLogger(FolderInUse.class);

    private final ReplicaFiles files;
    private final Clock clock;
    private final Executor syncs;
    private final AtomicBoolean marking = new AtomicBoolean();
    private volatile Identity identity;
    private volatile long triedAt;

    /** Guarded by this. */
    private boolean closed;

    /** @param identity of the folder, as it is on disk */
    FolderInUse(ReplicaFiles files, Identity identity, Clock clock, Executor syncs) {
        this.files = files;
        this.identity = identity;
        this.clock = clock;
        this.syncs = syncs;
        this.triedAt = clock.bootNanos();
    }

    Identity identity() {
        return identity;
    }

    /**
     * The last mark. When it is time for the next one that is made on another thread, because it may wait for the disk,
     * and told the next time.
     */
    long lastMark() {
        if (clock.bootNanos() - triedAt >= INTERVAL.toNanos() && marking.compareAndSet(false, true)) {
            try {
                syncs.execute(this::mark);
            } catch (RejectedExecutionException busy) {
                marking.set(false);
            }
        }
        return identity.lastMark();
    }

    /** From now on another process may use the folder: nothing is written there any more. */
    synchronized void close() {
        closed = true;
    }

    private synchronized void mark() {
        try {
            if (!closed) {
                Identity marked = identity.marked(clock.now());
                files.writeIdentity(marked.encode());
                identity = marked;
            }
        } catch (PosixException e) {
            LOG.info("the honeycomb's folder cannot be marked as in use now: {}", e.getMessage());
        } finally {
            triedAt = clock.bootNanos();
            marking.set(false);
        }
    }
}
