package org.beefs.integration.walk;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.integration.linux.MappedFile;
import org.beefs.integration.linux.Posix;

/** Operations on files through shared mappings that stay, after their descriptors were closed. For one thread. */
final class MappingOperations implements AutoCloseable {
    private static final int MOST_MAPPINGS = 4;
    private static final int MOST_UNSYNCED = 5;

    private final RandomGenerator random;
    private final Model model;
    private final Paths paths;
    private final NewBytes bytes;
    private final List<SharedMapping> mappings = new ArrayList<>();

    MappingOperations(RandomGenerator random, Model model, Paths paths) {
        this.random = random;
        this.model = model;
        this.paths = paths;
        this.bytes = new NewBytes(random);
    }

    Operation next(View root) {
        if (mappings.isEmpty() || (mappings.size() < MOST_MAPPINGS && random.nextInt(4) == 0)) {
            return map(root, paths.any());
        }
        SharedMapping mapping = mappings.get(random.nextInt(mappings.size()));
        if (mapping.isOutdated()) {
            return unmap(mapping);
        }
        return switch (random.nextInt(8)) {
            case 0 -> unmap(mapping);
            case 1, 2 -> sync(mapping);
            case 3, 4 -> load(mapping);
            default -> store(mapping);
        };
    }

    @Override
    public void close() {
        mappings.forEach(mapping -> mapping.memory().close());
        mappings.clear();
    }

    private Operation map(View root, String path) {
        if (model.isNoFile(root.mount(), path, Posix.O_RDWR)) {
            return Operation.NONE;
        }
        Content[] opened = new Content[1];
        return Operation.of(
                "map(%s)".formatted(path),
                () -> opened[0] = notEmpty(model.open(root.mount(), path, Posix.O_RDWR)),
                () -> {
                    MappedFile memory = performMap(root, path);
                    SharedMapping mapping = new SharedMapping(
                            root.mount(), opened[0], memory, root.mount().name() + ":" + path);
                    opened[0].map(mapping);
                    mappings.add(mapping);
                });
    }

    private static Content notEmpty(Content content) {
        if (content.size() == 0) {
            throw new PosixException(Errno.EINVAL, "nothing can be mapped");
        }
        return content;
    }

    /** As programs do it, which ask for the size to know what they may touch, and need the descriptor no more. */
    private static MappedFile performMap(View root, String path) {
        int fd = Posix.open(root.at(path), Posix.O_RDWR, 0);
        try {
            return new MappedFile(fd, (int) Posix.fstat(fd).size());
        } finally {
            Posix.close(fd);
        }
    }

    private Operation unmap(SharedMapping mapping) {
        return Operation.of(
                "unmap " + mapping,
                () -> {
                    mapping.content().unmap(mapping);
                    mappings.remove(mapping);
                },
                () -> mapping.memory().close());
    }

    private Operation sync(SharedMapping mapping) {
        return Operation.of(
                "msync " + mapping,
                () -> mapping.content().sync(mapping),
                () -> mapping.memory().sync());
    }

    private Operation load(SharedMapping mapping) {
        int offset = offset(mapping);
        int count = Math.min(random.nextInt(NewBytes.LARGEST_WRITE), mapping.usable() - offset);
        return Operation.asking(
                "load %d bytes at %d through %s".formatted(count, offset, mapping),
                () -> Operation.bytes(mapping.content().read(offset, count)),
                () -> Operation.bytes(mapping.memory().load(offset, count)));
    }

    private Operation store(SharedMapping mapping) {
        Content content = mapping.content();
        if (!content.mayStore(mapping) || content.unsynced() >= MOST_UNSYNCED) {
            return sync(mapping);
        }
        int offset = offset(mapping);
        byte[] stored = bytes.random(1 + random.nextInt(Math.min(NewBytes.LARGEST_WRITE, mapping.usable() - offset)));
        return Operation.of(
                "store %d bytes at %d through %s".formatted(stored.length, offset, mapping),
                () -> content.store(mapping, offset, stored),
                () -> mapping.memory().store(offset, stored));
    }

    private int offset(SharedMapping mapping) {
        return random.nextInt(Math.max(1, mapping.usable()));
    }
}
