package org.beefs.honeycomb.store;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.honeycomb.disk.FencedFiles;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
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
 * marked is either there under its name, then it was copied; or it is not, then steps 2 to 4 are done again.
 *
 * <p>A start that may not change the flag stops nobody. What is immutable it copies all the same, and leaves where it
 * is; a file that was taken and is not immutable gets its name back, and its writers go on, as they do at such a start
 * with every file.
 */
public final class Orphans {
    private static final Logger LOG = LoggerFactory.getLogger(Orphans.class);

    private final ReplicaFiles files;

    public Orphans(ReplicaFiles files) {
        this.files = files;
    }

    /** Finishes what a crash has interrupted. To be done before the replicas are scanned. */
    public void finish() {
        FencedFiles fenced = files.fenced();
        for (String name : fenced.uncopied()) {
            if (isThere(files.open(fenced.replica(name))) || !isThere(fenced.open(name))) {
                fenced.finish(name);
            } else if (files.fences() || isImmutable(name)) {
                copy(name);
            } else {
                LOG.warn("the fenced file {} is not copied, because its writers cannot be stopped; they go on", name);
                fenced.putBack(name);
            }
        }
    }

    private boolean isImmutable(String name) {
        try (ReplicaFile file = files.fenced().open(name)) {
            return file != null && file.isImmutable();
        }
    }

    /**
     * Replaces those that are written, of replicas that may be.
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
            if (isWritten(id, closed)) {
                copy(files.fenced().take(id));
                replaced++;
            }
        }
        if (replaced > 0) {
            LOG.warn("{} files are still held by programs of the daemon before; they go on as copies", replaced);
        }
        return closed;
    }

    /**
     * Nobody writes these, but this start can do no more with them than one that could stop writers has left to be
     * done.
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

    /** Without room its writers go on, which harms nobody as long as the file stays this desktop's. */
    private boolean hasRoomForCopy(ReplicaId id, ReplicaFile file) {
        boolean room = file.status().allocated() < files.space().free();
        if (!room) {
            LOG.error("{} is still written by programs of the daemon before, and there is no room to copy it", id);
        }
        return room;
    }

    private static boolean isThere(@Nullable ReplicaFile opened) {
        try (opened) {
            return opened != null;
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
