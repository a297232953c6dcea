package org.beefs.integration.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.beefs.common.linux.OpenNumbers;

/** System calls on files that are open, beyond those of {@link Posix}. Thread-safe. */
public final class Descriptors {
    public static final int O_TMPFILE = 020000000 | OpenNumbers.O_DIRECTORY;
    public static final int O_SYNC = 04010000;
    public static final int O_DSYNC = 010000;

    private static final int CLONE_FILES = 0x400;
    private static final int AT_FDCWD = -100;
    private static final int AT_SYMLINK_FOLLOW = 0x400;

    private static final SystemCall COPY_FILE_RANGE =
            SystemCall.ofLong("copy_file_range", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
    private static final SystemCall SENDFILE = SystemCall.ofLong("sendfile", JAVA_INT, JAVA_INT, ADDRESS, JAVA_LONG);
    private static final SystemCall LINKAT = SystemCall.ofInt("linkat", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT);
    private static final SystemCall UNSHARE = SystemCall.ofInt("unshare", JAVA_INT);
    private static final SystemCall FCHMOD = SystemCall.ofInt("fchmod", JAVA_INT, JAVA_INT);

    private Descriptors() {}

    /** The number of bytes that were copied. */
    public static long copy(int from, long fromOffset, int to, long toOffset, long length) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment offsets = arena.allocateFrom(JAVA_LONG, fromOffset, toOffset);
            return COPY_FILE_RANGE.call(from, offsets, to, offsets.asSlice(8), length, 0);
        }
    }

    /** From the beginning; the number of bytes that were sent. */
    public static long sendfile(int from, int to, long length) {
        try (Arena arena = Arena.ofConfined()) {
            return SENDFILE.call(to, from, arena.allocateFrom(JAVA_LONG, 0L), length);
        }
    }

    /** Gives a name to what is open. */
    public static void link(int fd, Path name) {
        try (Arena arena = Arena.ofConfined()) {
            LINKAT.call(
                    AT_FDCWD,
                    arena.allocateFrom("/proc/self/fd/" + fd),
                    AT_FDCWD,
                    Posix.text(arena, name),
                    AT_SYMLINK_FOLLOW);
        }
    }

    public static void chmod(int fd, int mode) {
        FCHMOD.call(fd, mode);
    }

    /**
     * Gives the calling platform thread a table of its own: what it opens from now on is its alone, and what others
     * open it does not see. A process that another thread starts then closes no copies of this thread's files, each of
     * which a file system hears of as FLUSH.
     */
    public static void keepApart() {
        UNSHARE.call(CLONE_FILES);
    }
}
