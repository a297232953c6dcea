package org.beefs.integration.walk;

import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.PosixException;
import org.beefs.integration.linux.DirectoryEntry;
import org.beefs.integration.linux.OpenDirectory;
import org.beefs.integration.linux.Posix;

/** Operations on names. For one thread. */
final class NameOperations {
    private final RandomGenerator random;
    private final Model model;
    private final Paths paths;

    NameOperations(RandomGenerator random, Model model, Paths paths) {
        this.random = random;
        this.model = model;
        this.paths = paths;
    }

    Operation next(Mount mount) {
        return switch (random.nextInt(18)) {
            case 0, 1 -> mkdir(mount, paths.forFolder());
            case 2 -> rmdir(mount, paths.any());
            case 3, 4, 5, 6 -> unlink(mount, paths.any());
            case 7, 8, 9, 10 -> rename(mount, paths.any(), paths.any());
            case 11, 12 -> link(mount, paths.any(), paths.any());
            case 13, 14 -> symlink(mount, paths.target(), paths.any());
            case 15 -> mkfifo(mount, paths.any());
            case 16 -> readlink(mount, paths.any());
            default -> list(mount, paths.any());
        };
    }

    private Operation mkdir(Mount mount, String path) {
        int mode = 0700 | random.nextInt(0100);
        return Operation.of(
                "mkdir(%s, %o)".formatted(path, mode),
                () -> model.mkdir(path, mode),
                () -> Posix.mkdir(mount.at(path), mode),
                path);
    }

    private Operation rmdir(Mount mount, String path) {
        return Operation.of(
                "rmdir(%s)".formatted(path), () -> model.rmdir(path), () -> Posix.rmdir(mount.at(path)), path);
    }

    private Operation unlink(Mount mount, String path) {
        return Operation.of(
                "unlink(%s)".formatted(path), () -> model.unlink(path), () -> Posix.unlink(mount.at(path)), path);
    }

    private Operation rename(Mount mount, String from, String to) {
        return Operation.of(
                "rename(%s, %s)".formatted(from, to),
                () -> model.rename(from, to),
                () -> performRename(mount.at(from), mount.at(to)),
                from,
                to);
    }

    /**
     * Linux itself answers ESTALE when it meets a folder first inside rename(2) that another mount has moved since this one saw it: it
     * cannot move its own entry for the folder while it holds the lock for renames (d_splice_alias). NFS has the same. After any
     * other look at the folder it works, and must.
     */
    private static void performRename(Path from, Path to) {
        try {
            Posix.rename(from, to);
        } catch (PosixException e) {
            if (e.errno() != Errno.ESTALE) {
                throw e;
            }
            Operation.outcome(() -> Posix.lstat(from));
            Operation.outcome(() -> Posix.lstat(to));
            Posix.rename(from, to);
        }
    }

    private Operation link(Mount mount, String existing, String added) {
        return Operation.of(
                "link(%s, %s)".formatted(existing, added),
                () -> model.link(existing, added),
                () -> Posix.link(mount.at(existing), mount.at(added)),
                existing,
                added);
    }

    private Operation symlink(Mount mount, String target, String path) {
        return Operation.of(
                "symlink(%s, %s)".formatted(target, path),
                () -> model.symlink(target, path),
                () -> Posix.symlink(target, mount.at(path)),
                path);
    }

    private Operation mkfifo(Mount mount, String path) {
        return Operation.of(
                "mkfifo(%s)".formatted(path),
                () -> model.mkfifo(path, 0644),
                () -> Posix.mknod(mount.at(path), FileMode.FIFO | 0644),
                path);
    }

    private Operation readlink(Mount mount, String path) {
        return Operation.asking(
                "readlink(%s)".formatted(path), () -> model.readlink(path), () -> Posix.readlink(mount.at(path)));
    }

    private Operation list(Mount mount, String path) {
        return Operation.asking("list(%s)".formatted(path), () -> model.list(path), () -> names(mount, path));
    }

    /** Without "." and "..". */
    static Set<String> names(Mount mount, String path) {
        return OpenDirectory.list(mount.at(path)).stream()
                .map(DirectoryEntry::name)
                .filter(name -> !name.equals(".") && !name.equals(".."))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
