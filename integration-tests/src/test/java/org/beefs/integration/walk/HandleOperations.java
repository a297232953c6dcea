package org.beefs.integration.walk;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.integration.linux.Posix;

/** Operations on files that stay open, also after they were renamed, replaced or removed. For one thread. */
final class HandleOperations implements AutoCloseable {
    private static final int MOST_OPEN = 12;
    private static final List<Integer> ALLOCATION_MODES = List.of(
            0,
            Posix.FALLOC_KEEP_SIZE,
            Posix.FALLOC_ZERO_RANGE,
            Posix.FALLOC_ZERO_RANGE | Posix.FALLOC_KEEP_SIZE,
            Posix.FALLOC_PUNCH_HOLE | Posix.FALLOC_KEEP_SIZE);

    private final RandomGenerator random;
    private final Model model;
    private final Paths paths;
    private final NewBytes bytes;
    private final List<OpenFile> open = new ArrayList<>();

    HandleOperations(RandomGenerator random, Model model, Paths paths) {
        this.random = random;
        this.model = model;
        this.paths = paths;
        this.bytes = new NewBytes(random);
    }

    Operation next(View root) {
        if (open.isEmpty() || (open.size() < MOST_OPEN && random.nextInt(5) == 0)) {
            return open(root, random.nextBoolean() ? paths.any() : pathOfOpenFile());
        }
        OpenFile file = open.get(random.nextInt(open.size()));
        if (file.content().isUnsettledFor(file.mount())) {
            return Operation.NONE;
        }
        return switch (random.nextInt(40)) {
            case 0, 1, 2, 3 -> close(file);
            case 4, 5, 6, 7 -> truncate(file);
            case 8, 9, 10, 11, 12, 13, 14, 15 -> allocate(file);
            case 16 -> sync(file);
            case 17, 18, 19 -> seek(file);
            case 20, 21, 22, 23, 24, 25, 26, 27 -> read(file);
            default -> write(file);
        };
    }

    List<OpenFile> open() {
        return Collections.unmodifiableList(open);
    }

    @Override
    public void close() {
        open.forEach(file -> Posix.close(file.fd()));
        open.clear();
    }

    private Operation open(View root, String path) {
        int flags = flags();
        if (model.isNoFile(root.mount(), path, flags)) {
            return Operation.NONE;
        }
        Content[] opened = new Content[1];
        return Operation.of(
                "open(%s, %o)".formatted(path, flags),
                () -> opened[0] = model.open(root.mount(), path, flags),
                () -> {
                    int fd = Posix.open(root.at(path), flags, 0666);
                    open.add(new OpenFile(root, fd, flags, opened[0], path));
                },
                path);
    }

    /** So that the same file is often open through several mounts. */
    private String pathOfOpenFile() {
        String path = open.isEmpty()
                ? null
                : model.tree.pathOf(open.get(random.nextInt(open.size())).content());
        return path == null ? paths.any() : path;
    }

    private int flags() {
        int access = random.nextInt(3);
        if (access == Posix.O_RDONLY) {
            return access | direct();
        }
        int more = random.nextBoolean() ? Posix.O_CREAT : 0;
        // Not both: file systems may demand that the end of a file is aligned before they append to it with O_DIRECT.
        return access | more | (random.nextInt(3) == 0 ? Posix.O_APPEND : direct());
    }

    private int direct() {
        return random.nextInt(5) == 0 ? Posix.O_DIRECT : 0;
    }

    private Operation close(OpenFile file) {
        return on(file, "close", () -> open.remove(file), () -> Posix.close(file.fd()));
    }

    private Operation write(OpenFile file) {
        byte[] written = file.isDirect() ? bytes.nextBlocks() : bytes.next();
        int offset = file.aligned(bytes.offsetFor(written));
        return on(
                file,
                "write %d bytes at %s".formatted(written.length, file.appends() ? "end" : offset),
                () -> {
                    requireWritable(file, Errno.EBADF);
                    file.content()
                            .write(file.mount(), file.appends() ? file.content().size() : offset, written);
                },
                () -> {
                    if (Posix.pwrite(file.fd(), offset, written) != written.length) {
                        throw new AssertionError("wrote only a part");
                    }
                });
    }

    private Operation truncate(OpenFile file) {
        int size = random.nextInt(NewBytes.LARGEST_FILE);
        return on(
                file,
                "truncate to " + size,
                () -> {
                    requireWritable(file, Errno.EINVAL);
                    file.content().truncate(file.mount(), size);
                },
                () -> Posix.ftruncate(file.fd(), size));
    }

    private Operation allocate(OpenFile file) {
        int mode = ALLOCATION_MODES.get(random.nextInt(ALLOCATION_MODES.size()));
        int offset = random.nextInt(NewBytes.LARGEST_FILE / 2);
        int length = 1 + random.nextInt(NewBytes.LARGEST_FILE / 2);
        return on(
                file,
                "fallocate with mode %#x %d bytes at %d".formatted(mode, length, offset),
                () -> {
                    requireWritable(file, Errno.EBADF);
                    if ((mode & ~Posix.FALLOC_KEEP_SIZE) != 0) {
                        file.content().clear(file.mount(), offset, length);
                    }
                    boolean keepsSize = (mode & Posix.FALLOC_KEEP_SIZE) != 0;
                    file.content().extend(file.mount(), keepsSize ? 0 : offset + length);
                },
                () -> Posix.fallocate(file.fd(), mode, offset, length));
    }

    private Operation sync(OpenFile file) {
        return on(file, "fsync", () -> {}, () -> Posix.fsync(file.fd()));
    }

    /**
     * Not while stores through a mapping are not synced: the kernel asks for holes without bringing such pages to the
     * file.
     */
    private Operation seek(OpenFile file) {
        if (file.content().unsynced() > 0) {
            return Operation.NONE;
        }
        int offset = random.nextInt(NewBytes.LARGEST_FILE);
        Holes holes = new Holes(file.content(), offset);
        return random.nextBoolean()
                ? asking(file, "seek data from " + offset, holes::predicted, () -> holes.performSeekData(file.fd()))
                : asking(file, "seek a hole from " + offset, holes::predicted, () -> holes.performSeekHole(file.fd()));
    }

    private Operation read(OpenFile file) {
        int offset = file.aligned(random.nextInt(NewBytes.LARGEST_FILE / 2));
        int count = file.aligned(NewBytes.BLOCK + random.nextInt(NewBytes.LARGEST_FILE / 2));
        return asking(
                file,
                "read %d bytes at %d".formatted(count, offset),
                () -> {
                    if (!file.isReadable()) {
                        throw new PosixException(Errno.EBADF, "not readable");
                    }
                    return Operation.bytes(file.content().read(offset, count));
                },
                () -> Operation.bytes(Posix.pread(file.fd(), offset, count)));
    }

    private static void requireWritable(OpenFile file, Errno otherwise) {
        if (!file.isWritable()) {
            throw new PosixException(otherwise, "not writable");
        }
    }

    private static Operation on(OpenFile file, String text, Runnable predicted, Runnable performed) {
        return Operation.of(text + " on " + file, predicted, performed);
    }

    private static Operation asking(
            OpenFile file, String text, Supplier<Object> predicted, Supplier<Object> performed) {
        return Operation.asking(text + " on " + file, predicted, performed);
    }
}
