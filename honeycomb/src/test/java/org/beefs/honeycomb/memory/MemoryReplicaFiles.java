package org.beefs.honeycomb.memory;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.honeycomb.disk.DiskSpace;
import org.beefs.honeycomb.disk.FencedFiles;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.memory.MemoryDisk.Operation;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.jspecify.annotations.Nullable;

/** A {@link MemoryDisk} as one process sees it. */
final class MemoryReplicaFiles implements ReplicaFiles {
    private final MemoryDisk disk;
    private final int process;

    MemoryReplicaFiles(MemoryDisk disk, int process) {
        this.disk = disk;
        this.process = process;
    }

    @Override
    public @Nullable ReplicaFile open(ReplicaId id) {
        return on(Operation.OPEN, () -> {
            MemoryNode node = disk.names().get(id);
            if (disk.isUnreadable(id)) {
                throw new PosixException(Errno.EIO, "the file was made unreadable");
            }
            return node == null ? null : new MemoryReplicaFile(disk, node, process);
        });
    }

    @Override
    public ReplicaFile create(ReplicaDescription description) {
        return on(Operation.CREATE, () -> {
            MemoryNode node = new MemoryNode(disk.now());
            if (disk.names().putIfAbsent(ReplicaId.of(description), node) != null) {
                throw new PosixException(Errno.EEXIST, "there is such a file");
            }
            node.describe(description, disk.now());
            return new MemoryReplicaFile(disk, node, process);
        });
    }

    @Override
    public ReplicaFile incoming(ReplicaId id) {
        return on(Operation.CREATE, () -> {
            MemoryNode node = disk.incoming().computeIfAbsent(id, unknown -> new MemoryNode(disk.now()));
            return new MemoryReplicaFile(disk, node, process);
        });
    }

    @Override
    public void install(ReplicaId id) {
        on(Operation.RENAME, () -> {
            MemoryNode node = disk.incoming().remove(id);
            if (node == null) {
                throw new PosixException(Errno.ENOENT, "there is no such file");
            }
            disk.makeReadable(id);
            return disk.names().put(id, node);
        });
    }

    @Override
    public void discardIncoming(ReplicaId id) {
        on(Operation.DELETE, () -> disk.incoming().remove(id));
    }

    @Override
    public void delete(ReplicaId id) {
        on(Operation.DELETE, () -> disk.names().remove(id));
    }

    @Override
    public void syncName(ReplicaId id) {
        on(Operation.SYNC, () -> {
            disk.syncName(id);
            return null;
        });
    }

    @Override
    public void syncRemovals(Collection<ReplicaId> removed) {
        removed.forEach(this::syncName);
    }

    /** Where it tells of no lost writes it succeeds whatever became of them. */
    @Override
    public void syncAll() {
        if (tellsOfLostWrites()) {
            on(Operation.SYNC, () -> {
                disk.syncAll();
                return null;
            });
        }
    }

    @Override
    public boolean tellsOfLostWrites() {
        return disk.tellsOfLostWrites();
    }

    @Override
    public void scan(Consumer<ScannedFile> visitor) {
        List<ScannedFile> found = on(
                Operation.OPEN,
                () -> disk.names().entrySet().stream().map(this::scanned).toList());
        found.forEach(visitor);
    }

    private ScannedFile scanned(Map.Entry<ReplicaId, MemoryNode> entry) {
        if (disk.isUnreadable(entry.getKey())) {
            return new ScannedFile(entry.getKey().fileName(), null, 0, entry.getKey());
        }
        MemoryNode node = entry.getValue();
        return new ScannedFile(
                entry.getKey().fileName(), node.description(), node.content().allocated() / 512, null);
    }

    @Override
    public void quarantine(String path) {
        ReplicaId id = ReplicaId.ofFileName(path);
        if (id != null) {
            on(Operation.DELETE, () -> {
                disk.setImmutable(Objects.requireNonNull(disk.names().get(id), path), false);
                disk.quarantine(id);
                return null;
            });
        }
    }

    @Override
    public DiskSpace space() {
        return disk.space();
    }

    @Override
    public boolean showsWriters() {
        return true;
    }

    @Override
    public boolean fences() {
        synchronized (disk) {
            return !disk.forbidsFlags();
        }
    }

    @Override
    public FencedFiles fenced() {
        return new MemoryFencedFiles(disk, process);
    }

    @Override
    public byte @Nullable [] readIdentity() {
        return on(Operation.OPEN, disk::identity);
    }

    @Override
    public void writeIdentity(byte[] identity) {
        on(Operation.CREATE, () -> {
            disk.setIdentity(identity);
            return null;
        });
    }

    @Override
    public void close() {}

    private <T extends @Nullable Object> T on(Operation operation, Supplier<T> work) {
        synchronized (disk) {
            disk.check(process, operation);
            return work.get();
        }
    }
}
