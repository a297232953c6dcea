package org.beefs.honeycomb.store;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Adoption;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.honeycomb.catalog.Catalog;
import org.beefs.honeycomb.disk.FencedFiles;
import org.beefs.honeycomb.disk.FileStatus;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;

/**
 * Makes the content of a replica, whose file has moved on without it, another file's. Thread-safe. It is always copied,
 * so that programs which still hold the replica stay fenced and do not write the other file. A crash at any step leaves
 * the replica, or what it becomes, or both, and the request comes again.
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
     * What the adopted replica looks like; it does not exist when there was nothing to adopt. One at a time, however
     * often the request is repeated while it is copied: the next fails with EAGAIN, and does not keep a thread waiting
     * that users' syncs need.
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
        Replica from = open.use(ReplicaId.of(adoption.getFrom()));
        try {
            Replica to = open.use(ReplicaId.of(adoption.getTo()));
            try {
                return adopt(from, to, adoption);
            } finally {
                open.leave(to);
            }
        } finally {
            open.leave(from);
        }
    }

    private ReplicaStatus adopt(Replica from, Replica to, Adoption adoption) {
        Lock fromOrder = from.exclusive();
        Lock toOrder = to.exclusive();
        fromOrder.lock();
        toOrder.lock();
        try {
            if (isOf(adoption, from)) {
                if (!to.exists()) {
                    copy(from, to, adoption);
                }
                finish(from.id());
                existence.drop(from, adoption.getFrom().getEpoch());
                fence.forget(from.id());
            }
            return observer.observe(to, to.file());
        } finally {
            toOrder.unlock();
            fromOrder.unlock();
        }
    }

    /** Under the name that an attempt gave it which then failed, for lack of space perhaps. */
    private String taken(ReplicaId id) {
        return uncopied(id).stream().findFirst().orElseGet(() -> files.fenced().take(id));
    }

    private List<String> uncopied(ReplicaId id) {
        FencedFiles fenced = files.fenced();
        return fenced.uncopied().stream()
                .filter(name -> fenced.replica(name).equals(id))
                .toList();
    }

    private static boolean isOf(Adoption adoption, Replica from) {
        return from.exists()
                && !from.isDropped()
                && from.description().getEpoch() == adoption.getFrom().getEpoch();
    }

    /** Takes nothing from its name while there is no room for its copy. */
    private void copy(Replica from, Replica to, Adoption adoption) {
        ReplicaFile content = from.file();
        long room = content == null ? 0 : content.status().allocated(); // programs may have written it past the store
        space.reserve(room);
        try {
            copyWithRoom(from, to, adoption);
        } finally {
            space.release(room);
        }
    }

    private void copyWithRoom(Replica from, Replica to, Adoption adoption) {
        ReplicaDescription becomes = from.description().toBuilder()
                .setInode(adoption.getTo().getInode())
                .setGeneration(adoption.getTo().getGeneration())
                .setEpoch(adoption.getTo().getEpoch())
                .clearVersion()
                .build();
        String name = taken(from.id());
        closeToWriters(name);
        boolean begun = false;
        try {
            files.fenced().copy(name, becomes);
            begin(to, becomes);
            begun = true;
        } finally {
            if (!begun) {
                files.delete(to.id()); // nobody knows of it; what it was copied from is still there
            }
        }
    }

    private void closeToWriters(String name) {
        try (ReplicaFile file = files.fenced().open(name)) {
            if (file != null && files.fences()) {
                file.setImmutable(true);
            }
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
            space.changed(to.allocated());
            begun = true;
        } finally {
            if (!begun) {
                copy.close();
            }
        }
    }

    /**
     * Before the replica is dropped: a file that waits to be copied when there is no replica would become one at the
     * next start.
     */
    private void finish(ReplicaId id) {
        for (String name : uncopied(id)) {
            files.fenced().finish(name);
            leftovers.add(name);
        }
    }
}
