package org.beefs.honeycomb.start;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.honeycomb.disk.FencedFiles;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.state.ReplicaKind;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replicas that programs still write through what an earlier daemon gave them. Each is replaced by a copy that nobody
 * holds, before anything is served. For one thread.
 *
 * <p>The order of steps keeps every byte that was acknowledged to a program:
 *
 * <ol>
 *   <li>The file is taken from its name. Programs go on writing it, and it is all there is.
 *   <li>It becomes immutable. From here on writers get EPERM or SIGBUS; what they were told before is in the file.
 *   <li>It is copied, and the copy gets the name, when it is on disk.
 *   <li>It is marked as copied, and removed when nobody holds it any more.
 * </ol>
 *
 * <p>Were it copied before it is immutable, what is written in between would be lost; were the copy to take the name
 * first, the immutable file would have to be made mutable to go away. After a crash a file that was taken and not
 * marked was copied if what is under its name is of the same epoch, the primary, and no version, as only the copy is.
 * If nothing is there steps 2 to 4 are done again. Anything else came there after an adoption of the file had failed:
 * then it stays where it is, because it may be all that there is of its content.
 *
 * <p>A start that may not change the flag stops nobody. Immutable files it copies all the same, and leaves where they
 * are; a file that was taken and is not immutable gets its name back, and its writers go on, as they do at such a start
 * with every file.
 *
 * <p>A step that fails, because the disk cannot read the file or has no room for it, keeps no start from going on
 * without that file. As nobody uses the replica until then, the next start finds it as after a crash.
 */
public final class StillWritten {
    private static final Logger LOG = LoggerFactory.getLogger(StillWritten.class);

    private final ReplicaFiles files;
    private final Map<ReplicaId, ReplicaDescription> unusable = new LinkedHashMap<>();

    public StillWritten(ReplicaFiles files) {
        this.files = files;
    }

    /**
     * Finishes what a crash, or a failed adoption, has interrupted. To be done before the replicas are scanned. What
     * fails is {@link #unusable}.
     */
    public void finish() {
        for (String name : files.fenced().uncopied()) {
            ReplicaId id = files.fenced().replica(name);
            try {
                finish(id, name);
            } catch (PosixException e) {
                LOG.error("the fenced file {} cannot be used before a start can copy it: {}", name, e.getMessage());
                unusable.putIfAbsent(id, id.toDescription());
            }
        }
    }

    /**
     * Replicas that cannot be copied now, as far as they say what they are: nobody may use them, and nothing else may
     * get their names, until a later start has copied them.
     */
    public Collection<ReplicaDescription> unusable() {
        return unusable.values();
    }

    private void finish(ReplicaId id, String name) {
        FencedFiles fenced = files.fenced();
        ReplicaDescription taken = describe(id, fenced.open(name));
        ReplicaDescription present = describe(id, files.open(id));
        if (taken == null || (present != null && isCopy(present, taken))) {
            fenced.finish(name);
        } else if (present != null) {
            LOG.warn(
                    "the fenced file {} stays where it is, because another replica has its name; it may have changes"
                            + " that nobody else has",
                    name);
        } else if (files.fences() || isImmutable(name)) {
            unusable.put(id, taken); // unless all of this is done
            checkRoom(name);
            copy(name);
            unusable.remove(id);
        } else {
            LOG.warn("the fenced file {} is not copied, because its writers cannot be stopped; they go on", name);
            fenced.putBack(name);
        }
    }

    private static boolean isCopy(ReplicaDescription present, ReplicaDescription taken) {
        return present.getEpoch() == taken.getEpoch()
                && present.getKind() != ReplicaKind.REPLICA_KIND_SECONDARY
                && present.getVersion() == 0;
    }

    /**
     * The description of a file; null when there is none. That of a file that does not say what it is says only whose
     * it is.
     */
    private static @Nullable ReplicaDescription describe(ReplicaId id, @Nullable ReplicaFile opened) {
        try (opened) {
            ReplicaDescription says = opened == null ? null : opened.description();
            return opened != null && says == null ? id.toDescription() : says;
        }
    }

    private boolean isImmutable(String name) {
        try (ReplicaFile file = files.fenced().open(name)) {
            return file != null && file.isImmutable();
        }
    }

    /**
     * Replaces replicas that programs write, among those that may be written. Those that fail are {@link #unusable}.
     *
     * @return those that are immutable, and nobody writes: whether they may be written is to be asked
     */
    public Set<ReplicaId> replaceWritten(Collection<ReplicaId> unsealed) {
        if (!files.fences()) {
            return immutable(unsealed);
        }
        Set<ReplicaId> closed = new LinkedHashSet<>();
        if (!files.showsWriters()) {
            return closed;
        }
        int replaced = 0;
        for (ReplicaId id : unsealed) {
            try {
                if (isWritten(id, closed)) {
                    copy(files.fenced().take(id));
                    replaced++;
                }
            } catch (PosixException e) {
                LOG.error(
                        "{} may still be written, and cannot be used before a start can copy it: {}",
                        id,
                        e.getMessage());
                unusable.put(id, id.toDescription());
            }
        }
        if (replaced > 0) {
            LOG.warn("{} files are still held by programs of the daemon before; they go on as copies", replaced);
        }
        return closed;
    }

    /**
     * The immutable ones. Nobody writes these; this start can do no more with them than an earlier one, which could
     * stop writers, has left to be done.
     */
    private Set<ReplicaId> immutable(Collection<ReplicaId> unsealed) {
        Set<ReplicaId> closed = new LinkedHashSet<>();
        for (ReplicaId id : unsealed) {
            try (ReplicaFile file = files.open(id)) {
                if (file != null && file.isImmutable()) {
                    closed.add(id);
                }
            }
        }
        if (!closed.isEmpty()) {
            LOG.error(
                    "{} files are immutable since an earlier start, and without CAP_LINUX_IMMUTABLE they stay so:"
                            + " they can be read, but not written, moved or removed",
                    closed.size());
        }
        return closed;
    }

    private boolean isWritten(ReplicaId id, Set<ReplicaId> closed) {
        try (ReplicaFile file = files.open(id)) {
            if (file == null) {
                return false;
            }
            boolean written = file.isOpenForWriting();
            if (!written && file.isImmutable()) {
                closed.add(id);
            }
            return written && hasRoomForCopy(id, file);
        }
    }

    /**
     * Whether there is room for a copy. Without it the file's writers go on, which harms nobody as long as the file
     * stays this desktop's.
     */
    private boolean hasRoomForCopy(ReplicaId id, ReplicaFile file) {
        boolean room = hasRoom(file);
        if (!room) {
            LOG.error("{} is still written by programs of the daemon before, and there is no room to copy it", id);
        }
        return room;
    }

    private boolean hasRoom(ReplicaFile file) {
        return file.status().allocated() < files.space().free();
    }

    private void checkRoom(String name) {
        try (ReplicaFile file = files.fenced().open(name)) {
            if (file != null && !hasRoom(file)) {
                throw new PosixException(Errno.ENOSPC, "the disk has no room for its copy");
            }
        }
    }

    private void copy(String name) {
        FencedFiles fenced = files.fenced();
        try (ReplicaFile file = fenced.open(name)) {
            ReplicaDescription says = file == null ? null : file.description();
            if (file == null || says == null) {
                throw new PosixException(Errno.EIO, "the fenced file " + name + " does not say what it is");
            }
            file.setImmutable(true);
            fenced.copy(name, says.toBuilder().clearVersion().build());
        }
        fenced.finish(name);
    }
}
