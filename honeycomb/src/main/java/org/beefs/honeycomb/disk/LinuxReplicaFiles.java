package org.beefs.honeycomb.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.beefs.common.file.Draft;
import org.beefs.common.linux.Inodes;
import org.beefs.common.linux.Libc;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.ProductionOnly;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A folder of the desktop's own file system. {@code honeycomb/DESIGN.md} says what lies where in it. */
@ProductionOnly
public final class LinuxReplicaFiles implements ReplicaFiles {
    private static final Logger LOG = LoggerFactory.getLogger(LinuxReplicaFiles.class);
    private static final HexFormat HEX = HexFormat.of();

    private final Path folder;
    private final Path replicas;
    private final Path incoming;
    private final Path lost;
    private final LinuxFencedFiles fenced;
    private final FileStore disk;
    private final SpareRoom spare;
    private final FileChannel lockFile;
    private final String lock;

    /** Kept open since the start, because syncfs reports only failures that came after the folder was opened. */
    private final int replicasFd;

    /** Whether the file system has leases, as the start has found out: those on a network often have none. */
    private boolean leases;

    private boolean fences;

    /** Whether the folder was not at its place, which is said once. */
    private final AtomicBoolean misplaced = new AtomicBoolean();

    /** Folders, relative to {@link #replicas}, whose names are on disk; at most 65,792. */
    private final Set<Path> syncedFolders = ConcurrentHashMap.newKeySet();

    /**
     * Replicas that have a file in {@link #incoming}. Hardly any replica that is removed does: for the others nothing
     * is looked for.
     */
    private final Set<ReplicaId> arriving = ConcurrentHashMap.newKeySet();

    private LinuxReplicaFiles(Path folder, FileStore disk, SpareRoom spare, FileChannel lockFile) throws IOException {
        this.folder = folder;
        this.replicas = folder.resolve("replicas");
        this.incoming = folder.resolve("incoming");
        this.lost = folder.resolve("lost");
        this.disk = disk;
        this.spare = spare;
        this.lockFile = lockFile;
        this.lock = LinuxFolder.lockKey(folder);
        LinuxFolder.make(replicas);
        LinuxFolder.make(lost);
        LinuxFolder.make(incoming);
        LinuxFolder.empty(incoming);
        this.fenced = new LinuxFencedFiles(folder.resolve("fenced"), this::path, this::syncName);
        this.replicasFd = LinuxCalls.open(replicas, LinuxCalls.O_RDONLY, 0);
    }

    /**
     * Opens a folder, makes it if need be, and locks it; nothing is touched in one that is used for something else, or
     * was written by a newer program. On a full disk there is room for what else a start writes, until
     * {@link #keepSpareRoom}. What {@link IOException} says is for people.
     */
    public static LinuxReplicaFiles open(Path folder) throws IOException {
        Path real = LinuxFolder.prepare(folder);
        FileStore disk = Files.getFileStore(real);
        SpareRoom spare = new SpareRoom(real, disk::getUsableSpace);
        FileChannel lockFile = LinuxFolder.lock(real);
        boolean opened = false;
        try {
            spare.giveIfFull();
            LinuxReplicaFiles files = new LinuxReplicaFiles(real, disk, spare, lockFile);
            files.probe();
            opened = true;
            return files;
        } catch (PosixException e) {
            throw new IOException("the honeycomb's folder %s cannot be used: %s".formatted(folder, reason(real, e)), e);
        } finally {
            if (!opened) {
                spare.keep();
                lockFile.close();
            }
        }
    }

    /** The reason of a failure for people, who may see that there are bytes enough. */
    private static String reason(Path folder, PosixException failure) {
        return failure.errno().saysFull() && Inodes.areScarceBeside(folder)
                ? "its disk has no inodes left; remove some files there, and start again"
                : failure.getMessage();
    }

    @Override
    public String lock() {
        return lock;
    }

    /** The start has written what it had to: takes room from the disk for the next one, as {@link #close} does. */
    public void keepSpareRoom() {
        spare.keep();
    }

    private static boolean hasLeases(LinuxReplicaFile file) {
        try {
            return !file.isOpenForWriting();
        } catch (PosixException e) {
            LOG.warn("the honeycomb's file system has no leases ({}): contents go through the daemon", e.errno());
            return false;
        }
    }

    /**
     * Finds out at the start, and not at a user's first write, that the file system keeps no extended attributes, or
     * that its times are too coarse.
     */
    private void probe() throws IOException {
        Path path = probePath();
        LinuxReplicaFile file = createAt(path);
        try {
            file.describe(ReplicaDescription.getDefaultInstance());
            checkTimes(file, folder);
            leases = hasLeases(file);
            file.truncate(4096);
            fences = FenceProbe.fences(path);
        } catch (PosixException e) {
            if (e.errno() == Errno.EOPNOTSUPP) {
                throw new IOException(
                        "the file system of %s keeps no user extended attributes; use a folder on ext4, xfs or btrfs"
                                .formatted(folder),
                        e);
            }
            throw e;
        } finally {
            file.close();
            Files.deleteIfExists(path);
        }
    }

    /**
     * Fails where times do not last to the nanosecond: changes would not move them, and a replica that a loss of power
     * has torn could not be made to look changed by a nanosecond.
     *
     * @param file that was just made
     */
    static void checkTimes(ReplicaFile file, Path folder) throws IOException {
        Untouched.mark(file);
        if (!Untouched.is(file.status())) {
            throw new IOException(("the file system of %s does not keep times to the nanosecond (as ext4 does not with"
                            + " inodes of 128 bytes); use a folder on ext4, xfs or btrfs")
                    .formatted(folder));
        }
    }

    /**
     * The path of the probe. A file that is left of a start that died in its probe stays when this one may not take the
     * immutable flag off; then it is another path.
     */
    private Path probePath() {
        Path path = folder.resolve("probe");
        try {
            LinuxReplicaFile.unlink(path);
        } catch (PosixException e) {
            if (e.errno() != Errno.EPERM) {
                throw e;
            }
            path = folder.resolve("probe.2");
            LinuxReplicaFile.unlink(path);
        }
        return path;
    }

    @Override
    public @Nullable ReplicaFile open(ReplicaId id) {
        ReplicaFile opened = LinuxReplicaFile.open(path(id));
        if (opened == null) {
            checkPlace();
        }
        return opened;
    }

    @Override
    public void checkPlace() {
        if (lock.equals(presentLock())) {
            return;
        }
        if (misplaced.compareAndSet(false, true)) {
            LOG.error(
                    "the honeycomb's folder {} was moved, or something is mounted over it: stop the daemon, put the"
                            + " folder back, and start it again; until then nothing new is stored there",
                    folder);
        }
        throw new PosixException(
                Errno.EIO, "the honeycomb's folder %s was moved, or something is mounted over it".formatted(folder));
    }

    private String presentLock() {
        try {
            return LinuxFolder.lockKey(folder);
        } catch (NoSuchFileException e) {
            return "";
        } catch (IOException e) {
            throw LinuxFolder.failed(folder, e);
        }
    }

    @Override
    public ReplicaFile create(ReplicaDescription description) {
        Path path = path(ReplicaId.of(description));
        LinuxReplicaFile file;
        try {
            file = createAt(path);
        } catch (PosixException e) {
            makeMissingFolders(path, e);
            file = createAt(path);
        }
        boolean described = false;
        try {
            file.describe(description);
            described = true;
            return file;
        } finally {
            if (!described) {
                file.close();
                LinuxCalls.unlink(path);
            }
        }
    }

    private static LinuxReplicaFile createAt(Path path) {
        int flags = LinuxCalls.O_RDONLY | LinuxCalls.O_CREAT | LinuxCalls.O_EXCL;
        return new LinuxReplicaFile(LinuxCalls.open(path, flags, 0600), path);
    }

    /**
     * Makes the folders below {@link #replicas} that are missing after a failure; throws that again if none is. One of
     * 256 neighbours finds them missing.
     */
    private void makeMissingFolders(Path path, PosixException failure) {
        if (failure.errno() != Errno.ENOENT) {
            throw failure;
        }
        checkPlace();
        Path leaf = LinuxFolder.parent(path);
        LinuxFolder.doing(leaf, () -> {
            LinuxFolder.makeOne(LinuxFolder.parent(leaf));
            LinuxFolder.makeOne(leaf);
        });
    }

    @Override
    public ReplicaFile incoming(ReplicaId id) {
        Path path = incoming.resolve(id.fileName());
        int flags = LinuxCalls.O_RDONLY | LinuxCalls.O_CREAT | LinuxCalls.O_NOFOLLOW;
        ReplicaFile file = new LinuxReplicaFile(LinuxCalls.open(path, flags, 0600), path);
        arriving.add(id); // only now: who discards it at the same time must not take that for the new one
        return file;
    }

    @Override
    public void install(ReplicaId id) {
        Path arrived = incoming.resolve(id.fileName());
        Path path = path(id);
        try {
            LinuxCalls.rename(arrived, path);
        } catch (PosixException e) {
            makeMissingFolders(path, e);
            LinuxCalls.rename(arrived, path);
        }
        arriving.remove(id);
    }

    @Override
    public void discardIncoming(ReplicaId id) {
        if (arriving.remove(id)) {
            LinuxReplicaFile.unlink(incoming.resolve(id.fileName()));
        }
    }

    @Override
    public void delete(ReplicaId id) {
        LinuxReplicaFile.unlink(path(id));
    }

    @Override
    public void syncName(ReplicaId id) {
        Path leaf = LinuxFolder.parent(path(id));
        LinuxCalls.syncFolder(leaf);
        for (Path below = leaf;
                !below.equals(folder) && !syncedFolders.contains(below);
                below = LinuxFolder.parent(below)) {
            LinuxCalls.syncFolder(LinuxFolder.parent(below));
            syncedFolders.add(below);
        }
    }

    @Override
    public void syncRemovals(Collection<ReplicaId> removed) {
        removed.stream().map(id -> LinuxFolder.parent(path(id))).distinct().forEach(LinuxReplicaFiles::syncIfThere);
    }

    /** From a folder that was never made nothing was removed. */
    private static void syncIfThere(Path leaf) {
        try {
            LinuxCalls.syncFolder(leaf);
        } catch (PosixException e) {
            if (e.errno() != Errno.ENOENT) {
                throw e;
            }
        }
    }

    @Override
    public void syncAll() {
        LinuxCalls.check("syncing the file system of " + folder, () -> Libc.syncfs(replicasFd));
    }

    @Override
    public boolean tellsOfLostWrites() {
        return LinuxRelease.RUNNING.isAtLeast(5, 8);
    }

    @Override
    public void scan(Consumer<ScannedFile> visitor) {
        LinuxFolder.doing(replicas, () -> scan(replicas, visitor));
    }

    private void scan(Path directory, Consumer<ScannedFile> visitor) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                    scan(entry, visitor);
                } else {
                    visitor.accept(examine(entry));
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private ScannedFile examine(Path path) {
        String name = folder.relativize(path).toString();
        ReplicaId id = ReplicaId.ofFileName(String.valueOf(path.getFileName()));
        if (id == null || !path.equals(path(id))) {
            return new ScannedFile(name, null, 0);
        }
        try {
            return examine(path, name, id);
        } catch (PosixException e) {
            if (!ReplicaFiles.isOfTheFile(e.errno())) {
                throw e;
            }
            LOG.error("{} cannot be read, and is kept as it is: {}", name, e.getMessage());
            return new ScannedFile(name, null, 0, id);
        }
    }

    private static ScannedFile examine(Path path, String name, ReplicaId id) {
        if (!isRegular(path)) {
            return new ScannedFile(name, null, 0);
        }
        try (LinuxReplicaFile file = LinuxReplicaFile.open(path)) {
            if (file == null) {
                return new ScannedFile(name, null, 0);
            }
            ReplicaDescription says = file.description();
            return new ScannedFile(
                    name, id.isOf(says) ? says : null, file.status().blocks());
        }
    }

    /** As {@link Files#isRegularFile}, but for a disk that cannot tell. */
    private static boolean isRegular(Path path) {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .isRegularFile();
        } catch (IOException e) {
            throw LinuxFolder.failed(path, e);
        }
    }

    @Override
    public void quarantine(String path) {
        Path file = folder.resolve(path);
        makeMutable(file);
        LinuxFolder.doing(file, () -> {
            Path free = lost.resolve(file.getFileName());
            for (int copy = 2; Files.exists(free, LinkOption.NOFOLLOW_LINKS); copy++) {
                free = lost.resolve(file.getFileName() + "~" + copy);
            }
            Files.move(file, free);
        });
    }

    private static void makeMutable(Path path) {
        if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            try (LinuxReplicaFile file = LinuxReplicaFile.open(path)) {
                if (file != null && file.isImmutable()) {
                    file.setImmutable(false);
                }
            }
        }
    }

    @Override
    public DiskSpace space() {
        try {
            return new DiskSpace(disk.getTotalSpace(), disk.getUsableSpace(), Inodes.of(folder));
        } catch (IOException e) {
            throw LinuxFolder.failed(folder, e);
        }
    }

    @Override
    public boolean showsWriters() {
        return leases;
    }

    @Override
    public boolean fences() {
        return fences;
    }

    @Override
    public FencedFiles fenced() {
        return fenced;
    }

    @Override
    public byte @Nullable [] readIdentity() {
        try {
            return Files.readAllBytes(folder.resolve(FolderCheck.IDENTITY));
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            throw LinuxFolder.failed(folder.resolve(FolderCheck.IDENTITY), e);
        }
    }

    @Override
    public void writeIdentity(byte[] identity) {
        checkPlace();
        Path file = folder.resolve(FolderCheck.IDENTITY);
        LinuxFolder.doing(file, () -> Draft.replace(file, identity));
    }

    @Override
    public void close() {
        spare.keep();
        Libc.close(replicasFd);
        LinuxFolder.doing(folder, lockFile::close);
    }

    private Path path(ReplicaId id) {
        String upper = HEX.toHexDigits((byte) (id.inode() >>> 16));
        String lower = HEX.toHexDigits((byte) (id.inode() >>> 8));
        return replicas.resolve(upper + '/' + lower + '/' + id.fileName());
    }
}
