package org.beefs.honeycomb.memory;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.honeycomb.disk.FencedFiles;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.memory.MemoryDisk.Operation;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.jspecify.annotations.Nullable;

/** Fenced files of a {@link MemoryDisk} as one process sees them. */
final class MemoryFencedFiles implements FencedFiles {
    private final MemoryDisk disk;
    private final int process;

    MemoryFencedFiles(MemoryDisk disk, int process) {
        this.disk = disk;
        this.process = process;
    }

    @Override
    public String take(ReplicaId id) {
        return on(Operation.RENAME, () -> {
            MemoryNode node = disk.names().remove(id);
            if (node == null) {
                throw new PosixException(Errno.ENOENT, "there is no " + id);
            }
            disk.setImmutable(node, false);
            node.take();
            int number = 1;
            while (disk.uncopied().containsKey(name(id, number))
                    || disk.copied().containsKey(name(id, number))) {
                number++;
            }
            disk.uncopied().put(name(id, number), node);
            return name(id, number);
        });
    }

    private static String name(ReplicaId id, int number) {
        return id.fileName() + "." + number;
    }

    @Override
    public List<String> uncopied() {
        return on(Operation.OPEN, () -> List.copyOf(disk.uncopied().keySet()));
    }

    @Override
    public List<String> copied() {
        return on(Operation.OPEN, () -> List.copyOf(disk.copied().keySet()));
    }

    @Override
    public ReplicaId replica(String name) {
        return Objects.requireNonNull(ReplicaId.ofFileName(name.substring(0, name.lastIndexOf('.'))), name);
    }

    @Override
    public @Nullable ReplicaFile open(String name) {
        return on(Operation.OPEN, () -> {
            MemoryNode node = find(name);
            return node == null ? null : new MemoryReplicaFile(disk, node, process);
        });
    }

    private @Nullable MemoryNode find(String name) {
        Map<String, MemoryNode> copied = disk.copied();
        return disk.uncopied().getOrDefault(name, copied.get(name));
    }

    @Override
    public void copy(String name, ReplicaDescription description) {
        on(Operation.COPY, () -> {
            MemoryNode copy = Objects.requireNonNull(find(name), name).copy(description, disk.now());
            copy.sync();
            disk.names().put(ReplicaId.of(description), copy);
            disk.syncName(ReplicaId.of(description));
            return copy;
        });
    }

    @Override
    public void putBack(String name) {
        on(Operation.RENAME, () -> {
            disk.names()
                    .put(replica(name), Objects.requireNonNull(disk.uncopied().remove(name), name));
            disk.syncName(replica(name));
            return name;
        });
    }

    @Override
    public void finish(String name) {
        on(Operation.RENAME, () -> {
            MemoryNode node = disk.uncopied().remove(name);
            if (node != null) {
                disk.copied().put(name, node);
            }
            return name;
        });
    }

    @Override
    public void remove(String name) {
        on(Operation.DELETE, () -> {
            MemoryNode node = find(name);
            if (node != null) {
                disk.setImmutable(node, false);
            }
            disk.uncopied().remove(name);
            disk.copied().remove(name);
            return name;
        });
    }

    private <T extends @Nullable Object> T on(Operation operation, Supplier<T> work) {
        synchronized (disk) {
            disk.check(process, operation);
            return work.get();
        }
    }
}
