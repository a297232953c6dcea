package org.beefs.integration.walk;

import java.util.random.RandomGenerator;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.walk.Node.Content;

/** Operations on files by path: what a program does that opens, does one thing, and closes. For one thread. */
final class ContentOperations {
    static final int LARGEST_FILE = 256 * 1024;
    private static final int LARGEST_WRITE = 16 * 1024;

    private final RandomGenerator random;
    private final Model model;
    private final Paths paths;

    ContentOperations(RandomGenerator random, Model model, Paths paths) {
        this.random = random;
        this.model = model;
        this.paths = paths;
    }

    Operation next(Mount mount) {
        String path = paths.any();
        if (model.isNoFile(path, Posix.O_RDONLY)) {
            return Operation.none("leave " + path);
        }
        return switch (random.nextInt(8)) {
            case 0 -> store(mount, path, Posix.O_CREAT | Posix.O_EXCL);
            case 1, 2 -> store(mount, path, Posix.O_CREAT | Posix.O_TRUNC);
            case 3 -> store(mount, path, Posix.O_CREAT | Posix.O_APPEND);
            case 4, 5 -> store(mount, path, 0);
            case 6 -> truncate(mount, path);
            default -> read(mount, path);
        };
    }

    /** New bytes for a file; now and then many. */
    static byte[] newBytes(RandomGenerator random) {
        byte[] bytes = new byte[random.nextInt(random.nextInt(50) == 0 ? LARGEST_FILE : LARGEST_WRITE)];
        random.nextBytes(bytes);
        return bytes;
    }

    private Operation store(Mount mount, String path, int flags) {
        byte[] bytes = newBytes(random);
        int offset = random.nextInt(LARGEST_FILE - bytes.length);
        boolean append = (flags & Posix.O_APPEND) != 0;
        return Operation.of(
                "store(%s, flags %o, %d bytes at %s)".formatted(path, flags, bytes.length, append ? "end" : offset),
                () -> {
                    Content content = model.open(path, flags | Posix.O_WRONLY);
                    if (bytes.length > 0) {
                        Model.write(content, append ? content.bytes.length : offset, bytes);
                    }
                },
                () -> perform(mount, path, flags, offset, bytes),
                path);
    }

    private static void perform(Mount mount, String path, int flags, int offset, byte[] bytes) {
        int fd = Posix.open(mount.at(path), flags | Posix.O_WRONLY, 0666);
        try {
            int written = Posix.pwrite(fd, offset, bytes);
            if (written != bytes.length) {
                throw new AssertionError("wrote " + written + " of " + bytes.length + " bytes");
            }
        } finally {
            Posix.close(fd);
        }
    }

    private Operation truncate(Mount mount, String path) {
        int size = random.nextInt(LARGEST_FILE);
        return Operation.of(
                "truncate(%s, %d)".formatted(path, size),
                () -> model.truncate(path, size),
                () -> Posix.truncate(mount.at(path), size),
                path);
    }

    private Operation read(Mount mount, String path) {
        int offset = random.nextInt(LARGEST_FILE / 4);
        int count = random.nextInt(LARGEST_WRITE);
        return Operation.asking(
                "read(%s, %d bytes at %d)".formatted(path, count, offset),
                () -> {
                    Content content = model.open(path, Posix.O_RDONLY);
                    return Operation.bytes(Model.read(content, offset, count));
                },
                () -> Operation.bytes(readAt(mount, path, offset, count)));
    }

    private static byte[] readAt(Mount mount, String path, int offset, int count) {
        int fd = Posix.open(mount.at(path), Posix.O_RDONLY, 0);
        try {
            return Posix.pread(fd, offset, count);
        } finally {
            Posix.close(fd);
        }
    }
}
