package org.beefs.cli.bench;

import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.common.linux.Libc;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;

/**
 * Lists folders and looks at what is in them as find, ls, grep and git do: at what stat(2) tells. Java's own walk asks
 * for the times of birth too, which no lookup and no listing brings through FUSE: of each file that a kernel has just
 * come to know it is asked once more then.
 */
final class FolderWalk {
    private static final int AT_FDCWD = -100;
    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final int STATX_BASIC_STATS = 0x7ff;
    private static final int STATX_SIZE = 256;
    private static final int STATX_MODE = 28;

    private FolderWalk() {}

    /** What is done with each file. */
    interface FileAction {
        void on(Path file) throws IOException;
    }

    /** Goes through a folder and all in it. */
    static void through(Path folder, FileAction onRegularFile) throws IOException, InterruptedException {
        look(folder);
        list(folder, onRegularFile);
    }

    /** Looks at the entry itself, also of a symbolic link; answers its mode, with its type. */
    static int look(Path entry) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom(entry.toString());
            MemorySegment attributes = arena.allocate(STATX_SIZE, Long.BYTES);
            int result = Libc.statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, attributes);
            if (result < 0) {
                throw new FileSystemException(
                        entry.toString(), null, Errno.of(-result).name());
            }
            return Short.toUnsignedInt(attributes.get(JAVA_SHORT, STATX_MODE));
        }
    }

    private static void list(Path folder, FileAction onRegularFile) throws IOException, InterruptedException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                Workload.goOnUnlessInterrupted();
                int mode = look(entry);
                if (FileMode.isDirectory(mode)) {
                    list(entry, onRegularFile);
                } else if (FileMode.isRegular(mode)) {
                    onRegularFile.on(entry);
                }
            }
        } catch (DirectoryIteratorException failure) {
            throw failure.getCause();
        }
    }
}
