package org.beefs.honeycomb.store;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Timers;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that were fenced and copied. Each stays until no program holds it any more, and its space counts as used until
 * then. There are at most as many as programs held when a daemon died, and no more than the disk has room for.
 * Thread-safe.
 */
final class Leftovers {
    static final Duration SWEEP = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);

    private final ReplicaFiles files;
    private final Space space;
    private final Timers timers;
    private final Executor executor;

    // Guarded by this.
    /** Bytes by name. */
    private final Map<String, Long> held = new HashMap<>();

    /** Files that could not be removed, of which the log has been told. */
    private final Set<String> stuck = new HashSet<>();

    private boolean sweeping;
    private boolean stopped;

    Leftovers(ReplicaFiles files, Space space, Timers timers, Executor executor) {
        this.files = files;
        this.space = space;
        this.timers = timers;
        this.executor = executor;
    }

    /** Takes over what the folder has, after a start. */
    synchronized void begin() {
        files.fenced().copied().forEach(this::add);
    }

    /** One more was copied. */
    synchronized void add(String name) {
        long bytes = bytes(name);
        held.put(name, bytes);
        space.countReplicas(bytes);
        removeIfLeft(name);
        sweepLater();
    }

    synchronized int count() {
        return held.size();
    }

    /** Looks a last time; whether none is left. */
    synchronized boolean stop() {
        stopped = true;
        sweep();
        return held.isEmpty();
    }

    /** Bytes of a file; none of one that cannot be opened: the log is told when it cannot be removed for that. */
    private long bytes(String name) {
        try (ReplicaFile file = files.fenced().open(name)) {
            return file == null ? 0 : file.status().allocated();
        } catch (PosixException e) {
            LOG.debug("the fenced file {} is not counted: {}", name, e.getMessage());
            return 0;
        }
    }

    private void sweepLater() {
        if (sweeping || stopped || held.isEmpty()) {
            return;
        }
        sweeping = true;
        scheduleSweep();
    }

    private void scheduleSweep() {
        timers.schedule(SWEEP, () -> {
            try {
                executor.execute(this::sweepNow);
            } catch (RejectedExecutionException busy) {
                scheduleSweep();
            }
        });
    }

    private synchronized void sweepNow() {
        sweeping = false;
        sweep();
        sweepLater();
    }

    private void sweep() {
        Map.copyOf(held).keySet().forEach(this::removeIfLeft);
    }

    private void removeIfLeft(String name) {
        try {
            if (!isHeld(name)) {
                files.fenced().remove(name);
                stuck.remove(name);
                @Nullable Long bytes = held.remove(name);
                space.countReplicas(bytes == null ? 0 : -bytes);
            }
        } catch (PosixException e) {
            if (stuck.add(name)) {
                LOG.warn("the fenced file {} cannot be removed yet: {}", name, e.getMessage());
            }
        }
    }

    private boolean isHeld(String name) {
        try (ReplicaFile file = files.fenced().open(name)) {
            return file != null && file.isOpenForWriting();
        }
    }
}
