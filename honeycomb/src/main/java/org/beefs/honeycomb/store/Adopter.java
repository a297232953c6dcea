package org.beefs.honeycomb.store;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Adoption;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.honeycomb.catalog.Catalog;
import org.beefs.honeycomb.disk.FencedFiles;
import org.beefs.honeycomb.disk.FileStatus;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.store.OpenReplicas.Use;
import org.jspecify.annotations.Nullable;

/**
 * Makes the content of a replica, whose file has moved on without it, another file's. Thread-safe. It is always copied,
 * so that programs which still hold the replica stay fenced and do not write the other file. A crash at any step leaves
 * the replica, or what it becomes, or both, and the request comes again. After a failure the replica may be among the
 * fenced files only, its name free or another file's: there it is looked for as well, and counts as used.
 */
final class Adopter {
    private final ReplicaFiles files;
    private final Catalog catalog;
    private final Space space;
    private final OpenReplicas open;
    private final Existence existence;
    private final Observer observer;
    private final Fence fence;
    private final Leftovers leftovers;
    private final AtomicBoolean underWay = new AtomicBoolean();

    Adopter(
            ReplicaFiles files,
            Catalog catalog,
            Space space,
            OpenReplicas open,
            Existence existence,
            Observer observer,
            Fence fence,
            Leftovers leftovers) {
        this.files = files;
        this.catalog = catalog;
        this.space = space;
        this.open = open;
        this.existence = existence;
        this.observer = observer;
        this.fence = fence;
        this.leftovers = leftovers;
    }

    /**
     * Adopts a replica. The answer is the replica's state afterwards; it does not exist when there was nothing to
     * adopt. One replica is adopted at a time, however often the request is repeated: the next fails with EAGAIN, and
     * does not keep a thread waiting that users' syncs need.
     */
    ReplicaStatus adopt(Adoption adoption) {
        if (!underWay.compareAndSet(false, true)) {
            throw new PosixException(Errno.EAGAIN, "another replica is still being adopted");
        }
        try {
            return adoptAlone(adoption);
        } finally {
            underWay.set(false);
        }
    }

    private ReplicaStatus adoptAlone(Adoption adoption) {
        try (Use from = open.use(ReplicaId.of(adoption.getFrom()));
                Use to = open.use(ReplicaId.of(adoption.getTo()))) {
            return adopt(from.replica(), to.replica(), adoption);
        }
    }

    private ReplicaStatus adopt(Replica from, Replica to, Adoption adoption) {
        try (var _ = from.holdExclusively();
                var _ = to.holdExclusively()) {
            boolean isThere = isOf(adoption, from);
            if (isThere || !uncopied(adoption.getFrom()).isEmpty()) {
                if (!to.exists()) {
                    copy(from, to, adoption);
                }
                finish(adoption.getFrom(), isThere);
                if (isThere || !from.exists()) { // otherwise it is not what was copied that has the name by now
                    existence.drop(from, adoption.getFrom().getEpoch());
                    fence.forget(from.id());
                }
            }
            return observer.observe(to, to.file());
        }
    }

    /**
     * Names of fenced files of that replica and epoch that were not copied when they were taken from their names,
     * perhaps for lack of space. That was here, or at a start.
     */
    private List<String> uncopied(ReplicaName from) {
        FencedFiles fenced = files.fenced();
        return fenced.uncopied().stream()
                .filter(name -> fenced.replica(name).equals(ReplicaId.of(from)) && isOfEpoch(from.getEpoch(), name))
                .toList();
    }

    /** Whether a fenced file is of that epoch; a crash may have left no file there. */
    private boolean isOfEpoch(long epoch, String name) {
        try (ReplicaFile file = files.fenced().open(name)) {
            return file != null && says(file, name).getEpoch() == epoch;
        }
    }

    private static ReplicaDescription says(ReplicaFile file, String name) {
        ReplicaDescription says = file.description();
        if (says == null) {
            throw new PosixException(Errno.EIO, "the fenced file " + name + " does not say what it is");
        }
        return says;
    }

    private static boolean isOf(Adoption adoption, Replica from) {
        return from.exists()
                && !from.isDropped()
                && !from.isSuperseded()
                && from.description().getEpoch() == adoption.getFrom().getEpoch();
    }

    /** Copies the replica's content. Its file keeps its name while there is no room for the copy. */
    private void copy(Replica from, Replica to, Adoption adoption) {
        List<String> uncopied = uncopied(adoption.getFrom());
        long room = uncopied.isEmpty() ? allocated(from.file()) : allocated(uncopied.getFirst());
        space.reserve(room);
        try {
            String name = uncopied.isEmpty() ? files.fenced().take(from.id()) : uncopied.getFirst();
            copyWithRoom(name, to, adoption.getTo());
        } finally {
            space.release(room);
        }
    }

    private long allocated(String name) {
        try (ReplicaFile file = files.fenced().open(name)) {
            return allocated(file);
        }
    }

    /** Bytes that a file takes. The file is asked, because programs may have written it in passthrough. */
    private static long allocated(@Nullable ReplicaFile file) {
        return file == null ? 0 : file.status().allocated();
    }

    private void copyWithRoom(String name, Replica to, ReplicaName becomes) {
        ReplicaDescription copied = closeToWriters(name).toBuilder()
                .setInode(becomes.getInode())
                .setGeneration(becomes.getGeneration())
                .setEpoch(becomes.getEpoch())
                .clearVersion()
                .build();
        boolean begun = false;
        try {
            files.fenced().copy(name, copied);
            begin(to, copied);
            begun = true;
        } finally {
            if (!begun) {
                files.delete(to.id()); // nobody knows of it; what it was copied from is still there
            }
        }
    }

    /** Closes a fenced file to its writers; answers what it says. */
    private ReplicaDescription closeToWriters(String name) {
        try (ReplicaFile file = files.fenced().open(name)) {
            if (file == null) {
                throw new PosixException(Errno.EIO, "the fenced file " + name + " is gone");
            }
            if (files.fences()) {
                file.setImmutable(true);
            }
            return says(file, name);
        }
    }

    private void begin(Replica to, ReplicaDescription says) {
        ReplicaFile copy = files.open(to.id());
        if (copy == null) {
            throw new PosixException(Errno.EIO, to.id() + " was just made and is not there");
        }
        boolean begun = false;
        try {
            FileStatus status = copy.status();
            catalog.put(says);
            to.begin(copy, says, status);
            space.countReplicas(to.allocated());
            begun = true;
        } finally {
            if (!begun) {
                copy.close();
            }
        }
    }

    /**
     * Finishes fenced files before the replica is dropped: a file that waits to be copied when there is no replica
     * would become one at the next start.
     *
     * @param isThere whether its space is counted as that of a replica which will be dropped
     */
    private void finish(ReplicaName from, boolean isThere) {
        for (String name : uncopied(from)) {
            long counted = isThere ? 0 : allocated(name);
            files.fenced().finish(name);
            space.countReplicas(-counted);
            leftovers.add(name);
        }
    }
}
