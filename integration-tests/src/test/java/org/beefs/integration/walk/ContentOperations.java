package org.beefs.integration.walk;

import java.util.random.RandomGenerator;
import org.beefs.integration.linux.Posix;

/** Operations on files by path: what a program does that opens, does one thing, and closes. For one thread. */
final class ContentOperations {
    private final RandomGenerator random;
    private final Model model;
    private final Paths paths;
    private final NewBytes bytes;

    ContentOperations(RandomGenerator random, Model model, Paths paths) {
        this.random = random;
        this.model = model;
        this.paths = paths;
        this.bytes = new NewBytes(random);
    }

    Operation next(View root) {
        String path = random.nextInt(4) == 0 ? paths.forNew() : paths.any();
        if (model.isNoFile(root.mount(), path, Posix.O_RDONLY)) {
            return Operation.NONE;
        }
        return switch (random.nextInt(8)) {
            case 0 -> store(root, path, Posix.O_CREAT | Posix.O_EXCL);
            case 1, 2 -> store(root, path, Posix.O_CREAT | Posix.O_TRUNC);
            case 3 -> store(root, path, Posix.O_CREAT | Posix.O_APPEND);
            case 4, 5 -> store(root, path, 0);
            case 6 -> truncate(root, path);
            default -> read(root, path);
        };
    }

    private Operation store(View root, String path, int flags) {
        byte[] written = bytes.next();
        int offset = bytes.offsetFor(written);
        boolean append = (flags & Posix.O_APPEND) != 0;
        return Operation.of(
                "store(%s, flags %o, %d bytes at %s)".formatted(path, flags, written.length, append ? "end" : offset),
                () -> {
                    Content content = model.open(root.mount(), path, flags | Posix.O_WRONLY);
                    content.write(root.mount(), append ? content.size() : offset, written);
                },
                () -> perform(root, path, flags, offset, written),
                path);
    }

    private static void perform(View root, String path, int flags, int offset, byte[] bytes) {
        int fd = Posix.open(root.at(path), flags | Posix.O_WRONLY, 0666);
        try {
            int written = Posix.pwrite(fd, offset, bytes);
            if (written != bytes.length) {
                throw new AssertionError("wrote " + written + " of " + bytes.length + " bytes");
            }
        } finally {
            Posix.close(fd);
        }
    }

    private Operation truncate(View root, String path) {
        int size = random.nextInt(NewBytes.LARGEST_FILE);
        return Operation.of(
                "truncate(%s, %d)".formatted(path, size),
                () -> model.truncate(root.mount(), path, size),
                () -> Posix.truncate(root.at(path), size),
                path);
    }

    private Operation read(View root, String path) {
        int offset = random.nextInt(NewBytes.LARGEST_FILE / 4);
        int count = random.nextInt(NewBytes.LARGEST_WRITE);
        return Operation.asking(
                "read(%s, %d bytes at %d)".formatted(path, count, offset),
                () -> Operation.bytes(
                        model.open(root.mount(), path, Posix.O_RDONLY).read(offset, count)),
                () -> Operation.bytes(readAt(root, path, offset, count)));
    }

    private static byte[] readAt(View root, String path, int offset, int count) {
        int fd = Posix.open(root.at(path), Posix.O_RDONLY, 0);
        try {
            return Posix.pread(fd, offset, count);
        } finally {
            Posix.close(fd);
        }
    }
}
