package org.beefs.honeycomb.disk;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.beefs.common.linux.Libc;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.ProductionOnly;
import org.beefs.common.wire.SetTimes;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.jspecify.annotations.Nullable;

/**
 * Each file has a folder, because an immutable file can be moved only with the folder that it is in:
 *
 * <pre>
 * fenced/uncopied/NAME/replica    the file
 * fenced/uncopied/NAME/copy       what was copied so far
 * fenced/copied/NAME/replica      held by programs
 * </pre>
 */
@ProductionOnly
final class LinuxFencedFiles implements FencedFiles {
    /** The ioctl that shares blocks, where the file system can. */
    private static final long FICLONE = 0x4004_9409L;

    private static final String FILE = "replica";
    private static final String COPY = "copy";

    private final Path uncopied;
    private final Path copied;
    private final Function<ReplicaId, Path> replicas;
    private final Consumer<ReplicaId> syncName;

    /**
     * @param replicas where a replica's file is, or would be
     * @param syncName as {@link ReplicaFiles#syncName}
     */
    LinuxFencedFiles(Path folder, Function<ReplicaId, Path> replicas, Consumer<ReplicaId> syncName) throws IOException {
        this.uncopied = folder.resolve("uncopied");
        this.copied = folder.resolve("copied");
        this.replicas = replicas;
        this.syncName = syncName;
        LinuxFolder.make(uncopied);
        LinuxFolder.make(copied);
    }

    @Override
    public String take(ReplicaId id) {
        String name = freeName(id);
        Path place = uncopied.resolve(name);
        Path replica = replicas.apply(id);
        LinuxFolder.doing(place, () -> LinuxFolder.makeOne(place));
        try (LinuxReplicaFile file = LinuxReplicaFile.open(replica)) {
            if (file == null) {
                throw new PosixException(Errno.ENOENT, "there is no " + id);
            }
            if (file.isImmutable()) {
                file.setImmutable(false);
            }
        }
        move(replica, place.resolve(FILE));
        return name;
    }

    private String freeName(ReplicaId id) {
        for (int number = 1; ; number++) {
            String name = id.fileName() + "." + number;
            if (!exists(uncopied.resolve(name)) && !exists(copied.resolve(name))) {
                return name;
            }
        }
    }

    @Override
    public List<String> uncopied() {
        return list(uncopied);
    }

    @Override
    public List<String> copied() {
        return list(copied);
    }

    private static List<String> list(Path folder) {
        List<String> names = new ArrayList<>();
        LinuxFolder.doing(folder, () -> names.addAll(LinuxFolder.names(folder)));
        return names;
    }

    @Override
    public ReplicaId replica(String name) {
        ReplicaId id = ReplicaId.ofFileName(name.substring(0, Math.max(0, name.lastIndexOf('.'))));
        if (id == null) {
            throw new PosixException(Errno.EIO, "fenced/*/" + name + " is no replica's; move it away");
        }
        return id;
    }

    @Override
    public @Nullable ReplicaFile open(String name) {
        return LinuxReplicaFile.open(place(name).resolve(FILE));
    }

    @Override
    public void copy(String name, ReplicaDescription description) {
        Path place = place(name);
        Path copy = place.resolve(COPY);
        ReplicaId id = ReplicaId.of(description);
        Path replica = replicas.apply(id);
        LinuxFolder.doing(copy, () -> Files.deleteIfExists(copy));
        boolean named = false;
        try {
            fill(copy, place, description);
            makeFolders(replica);
            move(copy, replica);
            named = true;
        } finally {
            if (!named) {
                LinuxReplicaFile.unlink(copy); // it takes space that may be just what is missing
            }
        }
        syncName.accept(id);
    }

    private static void fill(Path copy, Path place, ReplicaDescription description) {
        try (LinuxReplicaFile from = LinuxReplicaFile.open(place.resolve(FILE))) {
            if (from == null) {
                throw new PosixException(Errno.ENOENT, place + " is empty");
            }
            copy(from, copy, description);
        }
    }

    private static void makeFolders(Path replica) {
        LinuxFolder.doing(replica, () -> LinuxFolder.makeOne(LinuxFolder.parent(LinuxFolder.parent(replica))));
        LinuxFolder.doing(replica, () -> LinuxFolder.makeOne(LinuxFolder.parent(replica)));
    }

    private static void copy(LinuxReplicaFile from, Path copy, ReplicaDescription description) {
        int fd = LinuxCalls.open(copy, LinuxCalls.O_RDWR | LinuxCalls.O_CREAT | LinuxCalls.O_EXCL, 0600);
        try (LinuxReplicaFile to = new LinuxReplicaFile(fd, copy)) {
            FileStatus status = from.status();
            if (Libc.ioctl(fd, FICLONE, MemorySegment.ofAddress(from.descriptor())) < 0) {
                to.truncate(status.size());
                SparseCopy.copy(from, to, 0, status.size());
            }
            to.describe(description);
            to.setTimes(SetTimes.newBuilder()
                    .setAtime(status.atime())
                    .setMtime(status.mtime())
                    .build());
            to.sync(false);
        }
    }

    @Override
    public void putBack(String name) {
        ReplicaId id = replica(name);
        Path replica = replicas.apply(id);
        makeFolders(replica);
        move(place(name).resolve(FILE), replica);
        syncName.accept(id);
        remove(name);
    }

    @Override
    public void finish(String name) {
        move(uncopied.resolve(name), copied.resolve(name));
        LinuxCalls.syncFolder(copied);
        LinuxCalls.syncFolder(uncopied);
    }

    @Override
    public void remove(String name) {
        Path place = place(name);
        LinuxReplicaFile.unlink(place.resolve(FILE));
        LinuxFolder.doing(place, () -> Files.deleteIfExists(place.resolve(COPY)));
        LinuxFolder.doing(place, () -> Files.deleteIfExists(place));
    }

    private Path place(String name) {
        Path waiting = uncopied.resolve(name);
        return exists(waiting) ? waiting : copied.resolve(name);
    }

    private static boolean exists(Path path) {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }

    private static void move(Path from, Path to) {
        LinuxFolder.doing(from, () -> Files.move(from, to, StandardCopyOption.ATOMIC_MOVE));
    }
}
