package org.beefs.honeycomb.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.ProductionOnly;
import org.beefs.honeycomb.state.ReplicaId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The folder of files that become replicas when they are whole. Thread-safe. */
@ProductionOnly
final class LinuxIncomingFiles {
    private static final Logger LOG = LoggerFactory.getLogger(LinuxIncomingFiles.class);

    private final Path folder;

    /**
     * Replicas that have a file here. Hardly any replica that is removed does: for the others nothing is looked for.
     */
    private final Set<ReplicaId> present = ConcurrentHashMap.newKeySet();

    /** Whether a removal may not be on disk yet. */
    private final AtomicBoolean unsynced = new AtomicBoolean();

    /** Finds what earlier processes have left; removes all else that is there. */
    LinuxIncomingFiles(Path folder) throws IOException {
        this.folder = folder;
        for (String name : LinuxFolder.names(folder)) {
            Path path = folder.resolve(name);
            ReplicaId id = ReplicaId.ofFileName(name);
            if (id != null && id.fileName().equals(name) && Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
                present.add(id);
            } else {
                Files.delete(path);
            }
        }
    }

    /** Discards files, the largest first, as long as the disk is full. For a start, before anybody uses them. */
    void discardWhile(BooleanSupplier full) {
        Comparator<ReplicaId> bySize =
                Comparator.comparingLong(id -> path(id).toFile().length());
        for (ReplicaId id : present.stream().sorted(bySize.reversed()).toList()) {
            if (!full.getAsBoolean()) {
                return;
            }
            tryToDiscard(id);
        }
    }

    private void tryToDiscard(ReplicaId id) {
        try {
            discard(id);
        } catch (PosixException e) {
            LOG.debug("what has come of {} is not discarded: {}", id, e.getMessage());
        }
    }

    /** As {@link ReplicaFiles#incoming}. */
    ReplicaFile open(ReplicaId id) {
        Path path = path(id);
        int flags = LinuxCalls.O_RDONLY | LinuxCalls.O_CREAT | LinuxCalls.O_NOFOLLOW;
        ReplicaFile file = new LinuxReplicaFile(LinuxCalls.open(path, flags, 0600), path);
        present.add(id); // only now: who discards it at the same time must not take that for the new one
        return file;
    }

    List<ReplicaId> all() {
        return List.copyOf(present);
    }

    Path path(ReplicaId id) {
        return folder.resolve(id.fileName());
    }

    /** The file has got another name. */
    void renamed(ReplicaId id) {
        present.remove(id);
    }

    void discard(ReplicaId id) {
        if (present.remove(id)) {
            unsynced.set(true);
            LinuxReplicaFile.unlink(path(id));
        }
    }

    /** Brings to disk what was removed before. */
    void syncRemovals() {
        if (unsynced.getAndSet(false)) {
            boolean synced = false;
            try {
                LinuxCalls.syncFolder(folder);
                synced = true;
            } finally {
                if (!synced) {
                    unsynced.set(true);
                }
            }
        }
    }
}
