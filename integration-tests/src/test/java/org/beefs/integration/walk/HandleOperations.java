package org.beefs.integration.walk;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.walk.Node.Content;

/** Operations on files that stay open, also after they were renamed, replaced or removed. For one thread. */
final class HandleOperations implements AutoCloseable {
    private static final int MOST_OPEN = 12;
    private static final int PUNCH_HOLE = 3;

    private final RandomGenerator random;
    private final Model model;
    private final Paths paths;
    private final List<OpenFile> open = new ArrayList<>();

    HandleOperations(RandomGenerator random, Model model, Paths paths) {
        this.random = random;
        this.model = model;
        this.paths = paths;
    }

    Operation next(Mount mount) {
        if (open.isEmpty() || (open.size() < MOST_OPEN && random.nextInt(5) == 0)) {
            return open(mount, paths.any());
        }
        OpenFile file = open.get(random.nextInt(open.size()));
        return switch (random.nextInt(10)) {
            case 0 -> close(file);
            case 1 -> truncate(file);
            case 2 -> allocate(file);
            case 3 -> punch(file);
            case 4 -> sync(file);
            case 5, 6 -> read(file);
            default -> write(file);
        };
    }

    @Override
    public void close() {
        open.forEach(file -> Posix.close(file.fd()));
        open.clear();
    }

    private Operation open(Mount mount, String path) {
        int access = random.nextInt(3);
        int flags = access == Posix.O_RDONLY
                ? Posix.O_RDONLY
                : access | (random.nextBoolean() ? Posix.O_CREAT : 0) | (random.nextInt(3) == 0 ? Posix.O_APPEND : 0);
        if (model.isNoFile(path, flags)) {
            return Operation.none("leave " + path);
        }
        Content[] opened = new Content[1];
        return Operation.of(
                "open(%s, %o)".formatted(path, flags),
                () -> opened[0] = model.open(path, flags),
                () -> {
                    int fd = Posix.open(mount.at(path), flags, 0666);
                    open.add(new OpenFile(fd, flags, opened[0], mount.name() + ":" + path));
                },
                path);
    }

    private Operation close(OpenFile file) {
        return on(file, "close", () -> open.remove(file), () -> Posix.close(file.fd()));
    }

    private Operation write(OpenFile file) {
        byte[] bytes = ContentOperations.newBytes(random);
        int offset = random.nextInt(ContentOperations.LARGEST_FILE - bytes.length);
        return on(
                file,
                "write %d bytes at %s".formatted(bytes.length, file.appends() ? "end" : offset),
                () -> {
                    requireWritable(file, Errno.EBADF);
                    if (bytes.length > 0) {
                        Model.write(file.content(), file.appends() ? file.content().bytes.length : offset, bytes);
                    }
                },
                () -> {
                    if (Posix.pwrite(file.fd(), offset, bytes) != bytes.length) {
                        throw new AssertionError("wrote only a part");
                    }
                });
    }

    private Operation truncate(OpenFile file) {
        int size = random.nextInt(ContentOperations.LARGEST_FILE);
        return on(
                file,
                "truncate to " + size,
                () -> {
                    requireWritable(file, Errno.EINVAL);
                    Model.truncate(file.content(), size);
                },
                () -> Posix.ftruncate(file.fd(), size));
    }

    private Operation allocate(OpenFile file) {
        int offset = random.nextInt(ContentOperations.LARGEST_FILE / 2);
        int length = 1 + random.nextInt(ContentOperations.LARGEST_FILE / 2);
        return on(
                file,
                "allocate %d bytes at %d".formatted(length, offset),
                () -> {
                    requireWritable(file, Errno.EBADF);
                    Model.truncate(file.content(), Math.max(file.content().bytes.length, offset + length));
                },
                () -> Posix.fallocate(file.fd(), 0, offset, length));
    }

    private Operation punch(OpenFile file) {
        int offset = random.nextInt(ContentOperations.LARGEST_FILE / 2);
        int length = 1 + random.nextInt(ContentOperations.LARGEST_FILE / 2);
        return on(
                file,
                "punch %d bytes at %d".formatted(length, offset),
                () -> {
                    requireWritable(file, Errno.EBADF);
                    Model.punch(file.content(), offset, length);
                },
                () -> Posix.fallocate(file.fd(), PUNCH_HOLE, offset, length));
    }

    private Operation sync(OpenFile file) {
        return on(file, "fsync", () -> {}, () -> Posix.fsync(file.fd()));
    }

    private Operation read(OpenFile file) {
        int offset = random.nextInt(ContentOperations.LARGEST_FILE / 2);
        int count = random.nextInt(ContentOperations.LARGEST_FILE / 2);
        return Operation.asking(
                "read %d bytes at %d from %s".formatted(count, offset, file),
                () -> {
                    if (!file.isReadable()) {
                        throw new PosixException(Errno.EBADF, "not readable");
                    }
                    return Operation.bytes(Model.read(file.content(), offset, count));
                },
                () -> Operation.bytes(Posix.pread(file.fd(), offset, count)));
    }

    private static void requireWritable(OpenFile file, Errno otherwise) {
        if (!file.isWritable()) {
            throw new PosixException(otherwise, "not writable");
        }
    }

    private Operation on(OpenFile file, String text, Runnable predicted, Runnable performed) {
        return new Operation(
                text + " on " + file,
                Operation.answering(predicted),
                Operation.answering(performed),
                () -> named(file));
    }

    private List<String> named(OpenFile file) {
        String path = model.tree.pathOf(file.content());
        return path == null ? List.of() : List.of(path);
    }
}
