package org.beefs.honeycomb.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.ProductionOnly;
import org.jspecify.annotations.Nullable;

/** Folders of the desktop's file system, mode 0700, through Java's library. */
@ProductionOnly
final class LinuxFolder {
    private static final String OWNER_ONLY = "rwx------";

    /** Errnos by the words in which Java's library tells them. */
    private static final Map<String, Errno> TOLD = Map.of(
            "No space left", Errno.ENOSPC,
            "Disk quota exceeded", Errno.EDQUOT,
            "Read-only file system", Errno.EROFS,
            "Too many open files", Errno.ENFILE);

    private LinuxFolder() {}

    /**
     * Makes a folder if need be, and closes it to other users. A folder that {@link FolderCheck} refuses is left as it
     * is. The message of an {@link IOException} is for people.
     */
    static Path prepare(Path folder) throws IOException {
        try {
            Files.createDirectories(folder);
            Path real = folder.toRealPath();
            FolderCheck.check(real);
            Files.setPosixFilePermissions(real, PosixFilePermissions.fromString(OWNER_ONLY));
            FolderCheck.check(real); // once more: until now others may have put something there
            return real;
        } catch (IOException e) {
            throw new IOException("the honeycomb's folder %s cannot be used: %s".formatted(folder, reason(e)), e);
        }
    }

    /** The reason of a failure in words; such an exception's own message is often the file's name alone. */
    private static String reason(IOException failure) {
        return switch (failure) {
            case AccessDeniedException _ -> "permission denied";
            case FileAlreadyExistsException _ -> "there is something else of that name";
            case FileSystemException e when e.getReason() != null -> e.getReason();
            case FileSystemException e -> e.toString();
            default -> failure.getMessage() == null ? failure.toString() : failure.getMessage();
        };
    }

    /** Locks a folder for this process; it is unlocked when the channel is closed. */
    static FileChannel lock(Path folder) throws IOException {
        FileChannel file = FileChannel.open(
                folder.resolve(FolderCheck.LOCK),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        @Nullable FileLock lock = null;
        try {
            lock = file.tryLock();
        } catch (OverlappingFileLockException e) {
            // This very process has it; as bad as another one.
        }
        if (lock == null) {
            file.close();
            throw new IOException("the honeycomb's folder %s is used by another process".formatted(folder));
        }
        return file;
    }

    /** Device and inode of the file that {@link #lock} locks. */
    static String lockKey(Path folder) throws IOException {
        return String.valueOf(Files.readAttributes(
                        folder.resolve(FolderCheck.LOCK), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey());
    }

    /** Makes a folder, and those above it. */
    static void make(Path path) throws IOException {
        Files.createDirectories(
                path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWNER_ONLY)));
    }

    /** Makes a folder, unless there is something of that name, in one that is there. */
    static void makeOne(Path path) throws IOException {
        try {
            Files.createDirectory(
                    path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWNER_ONLY)));
        } catch (FileAlreadyExistsException there) {
            // one of its neighbours has made it
        }
    }

    /** What is in a folder, in no certain order. */
    static List<String> names(Path folder) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return names;
    }

    /** Removes the files in a folder. */
    static void empty(Path path) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
            for (Path entry : entries) {
                Files.delete(entry);
            }
        }
    }

    static Path parent(Path path) {
        Path parent = path.getParent();
        if (parent == null) {
            throw new IllegalArgumentException(path + " has no parent");
        }
        return parent;
    }

    /** Work of Java's library. */
    interface Work {
        void run() throws IOException;
    }

    /** Failures as errnos, as far as Java tells them. */
    static void doing(Path path, Work work) {
        try {
            work.run();
        } catch (IOException e) {
            throw failed(path, e);
        }
    }

    static PosixException failed(Path path, IOException cause) {
        return new PosixException(
                errno(String.valueOf(cause.getMessage())), "using %s failed: %s".formatted(path, cause));
    }

    private static Errno errno(String message) {
        return TOLD.entrySet().stream()
                .filter(told -> message.contains(told.getKey()))
                .map(Map.Entry::getValue)
                .findAny()
                .orElse(Errno.EIO);
    }
}
