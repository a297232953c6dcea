package org.beefs.integration.walk;

import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.PosixException;
import org.beefs.integration.linux.DirectoryEntry;
import org.beefs.integration.linux.OpenDirectory;
import org.beefs.integration.linux.Posix;

/** Operations on names. For one thread. */
final class NameOperations {
    private static final int LARGEST_TREE = 150;
    private static final int RENAME_NOREPLACE = 1;
    private static final int RENAME_EXCHANGE = 2;

    private final RandomGenerator random;
    private final Model model;
    private final Paths paths;

    NameOperations(RandomGenerator random, Model model, Paths paths) {
        this.random = random;
        this.model = model;
        this.paths = paths;
    }

    Operation next(View root) {
        if (model.tree.size() > LARGEST_TREE) {
            return paths.anyFolder().map(path -> removeTree(root, path)).orElse(Operation.NONE);
        }
        return switch (random.nextInt(18)) {
            case 0, 1 -> mkdir(root, paths.forFolder());
            case 2 -> rmdir(root, paths.anyFolder().orElseGet(paths::any));
            case 3, 4, 5, 6 -> unlink(root, paths.any());
            case 7, 8, 9, 10 -> rename(root, paths.any(), random.nextBoolean() ? paths.any() : paths.forNew());
            case 11, 12 -> link(root, paths.any(), paths.forNew());
            case 13, 14 -> symlink(root, paths.target(), paths.forNew());
            case 15 -> mkfifo(root, paths.forNew());
            case 16 -> readlink(root, paths.any());
            default -> list(root, paths.any());
        };
    }

    private Operation mkdir(View root, String path) {
        int mode = 0700 | random.nextInt(0100);
        return Operation.of(
                "mkdir(%s, %o)".formatted(path, mode),
                () -> model.mkdir(path, mode),
                () -> Posix.mkdir(root.at(path), mode),
                path);
    }

    private Operation rmdir(View root, String path) {
        return Operation.of(
                "rmdir(%s)".formatted(path), () -> model.rmdir(path), () -> Posix.rmdir(root.at(path)), path);
    }

    private Operation unlink(View root, String path) {
        return Operation.of(
                "unlink(%s)".formatted(path), () -> model.unlink(path), () -> Posix.unlink(root.at(path)), path);
    }

    private Operation rename(View root, String from, String to) {
        int flags = random.nextInt(RENAME_EXCHANGE + 1);
        if (paths.isTooDeep(from, to) || (flags == RENAME_EXCHANGE && paths.isTooDeep(to, from))) {
            return Operation.NONE;
        }
        return Operation.of(
                "rename(%s, %s, %d)".formatted(from, to, flags),
                () -> {
                    switch (flags) {
                        case RENAME_NOREPLACE -> model.renameToNothing(from, to);
                        case RENAME_EXCHANGE -> model.exchange(from, to);
                        default -> model.rename(from, to);
                    }
                },
                () -> performRename(root.at(from), root.at(to), flags),
                from,
                to);
    }

    /**
     * Linux itself answers ESTALE when it meets a folder first inside rename(2) that another mount has moved since this
     * one saw it: it cannot move its own entry for the folder while it holds the lock for renames (d_splice_alias). NFS
     * has the same. After any other look at the folder it works, and must.
     */
    private static void performRename(Path from, Path to, int flags) {
        try {
            Posix.rename(from, to, flags);
        } catch (PosixException e) {
            if (e.errno() != Errno.ESTALE) {
                throw e;
            }
            Operation.outcome(() -> Posix.lstat(from));
            Operation.outcome(() -> Posix.lstat(to));
            Posix.rename(from, to, flags);
        }
    }

    /** As rm -r does it: lists, removes what was listed, and then the folder. */
    private Operation removeTree(View root, String path) {
        return Operation.of(
                "removeTree(%s)".formatted(path), () -> model.removeTree(path), () -> removeTree(root.at(path)), path);
    }

    private static void removeTree(Path path) {
        for (DirectoryEntry entry : OpenDirectory.list(path)) {
            Path inner = path.resolve(entry.name());
            if (!entry.isFolder()) {
                Posix.unlink(inner);
            } else if (!entry.isDots()) {
                removeTree(inner);
            }
        }
        Posix.rmdir(path);
    }

    private Operation link(View root, String existing, String added) {
        return Operation.of(
                "link(%s, %s)".formatted(existing, added),
                () -> model.link(existing, added),
                () -> Posix.link(root.at(existing), root.at(added)),
                existing,
                added);
    }

    private Operation symlink(View root, String target, String path) {
        return Operation.of(
                "symlink(%s, %s)".formatted(target, path),
                () -> model.symlink(target, path),
                () -> Posix.symlink(target, root.at(path)),
                path);
    }

    private Operation mkfifo(View root, String path) {
        return Operation.of(
                "mkfifo(%s)".formatted(path),
                () -> model.mkfifo(path, 0644),
                () -> Posix.mknod(root.at(path), FileMode.FIFO | 0644),
                path);
    }

    private Operation readlink(View root, String path) {
        return Operation.asking(
                "readlink(%s)".formatted(path), () -> model.readlink(path), () -> Posix.readlink(root.at(path)));
    }

    private Operation list(View root, String path) {
        return Operation.asking("list(%s)".formatted(path), () -> model.list(path), () -> {
            try (View folder = root.open(path)) {
                return folder.names();
            }
        });
    }
}
