package org.beefs.integration.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import org.beefs.common.linux.Libc;
import org.beefs.common.linux.OpenNumbers;
import org.beefs.common.posix.PosixException;

/**
 * System calls on paths, in this process, so that a test can make a hundred thousand of them. Every failure is a
 * {@link PosixException}. Thread-safe. A call may block as long as the file system lets it.
 */
public final class Posix {
    public static final int O_RDONLY = 0;
    public static final int O_WRONLY = 1;
    public static final int O_RDWR = 2;
    public static final int O_ACCMODE = 3;
    public static final int O_CREAT = 0100;
    public static final int O_EXCL = 0200;
    public static final int O_TRUNC = 01000;
    public static final int O_APPEND = 02000;
    public static final int O_NONBLOCK = 04000;
    public static final int O_DIRECT = OpenNumbers.O_DIRECT;
    public static final int O_DIRECTORY = OpenNumbers.O_DIRECTORY;
    public static final int O_NOFOLLOW = OpenNumbers.O_NOFOLLOW;
    public static final int SEEK_DATA = 3;
    public static final int SEEK_HOLE = 4;
    public static final int FALLOC_KEEP_SIZE = 0x01;
    public static final int FALLOC_PUNCH_HOLE = 0x02;
    public static final int FALLOC_ZERO_RANGE = 0x10;
    public static final int AT_SYMLINK_NOFOLLOW = 0x100;
    public static final int SIGINT = 2;
    public static final int SIGKILL = 9;
    public static final int SIGALRM = 14;
    public static final int SIGTERM = 15;
    public static final int SIGCONT = 18;
    public static final int SIGSTOP = 19;

    private static final int AT_FDCWD = -100;
    /** Of memory that is read and written, for descriptors with O_DIRECT. */
    private static final long ALIGNMENT = 4096;

    private static final SystemCall MKDIR = SystemCall.ofInt("mkdir", ADDRESS, JAVA_INT);
    private static final SystemCall MKNOD = SystemCall.ofInt("mknod", ADDRESS, JAVA_INT, JAVA_LONG);
    private static final SystemCall RMDIR = SystemCall.ofInt("rmdir", ADDRESS);
    private static final SystemCall UNLINK = SystemCall.ofInt("unlink", ADDRESS);
    private static final SystemCall RENAME = SystemCall.ofInt("rename", ADDRESS, ADDRESS);
    private static final SystemCall RENAMEAT2 =
            SystemCall.ofInt("renameat2", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT);
    private static final SystemCall LINK = SystemCall.ofInt("link", ADDRESS, ADDRESS);
    private static final SystemCall SYMLINK = SystemCall.ofInt("symlink", ADDRESS, ADDRESS);
    private static final SystemCall READLINK = SystemCall.ofLong("readlink", ADDRESS, ADDRESS, JAVA_LONG);
    private static final SystemCall CHMOD = SystemCall.ofInt("chmod", ADDRESS, JAVA_INT);
    private static final SystemCall LCHOWN = SystemCall.ofInt("lchown", ADDRESS, JAVA_INT, JAVA_INT);
    private static final SystemCall TRUNCATE = SystemCall.ofInt("truncate", ADDRESS, JAVA_LONG);
    private static final SystemCall UTIMENSAT = SystemCall.ofInt("utimensat", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
    private static final SystemCall STATVFS = SystemCall.ofInt("statvfs", ADDRESS, ADDRESS);
    private static final SystemCall KILL = SystemCall.ofInt("kill", JAVA_INT, JAVA_INT);
    private static final SystemCall UMASK = SystemCall.ofInt("umask", JAVA_INT);

    private Posix() {}

    public static int open(Path path, int flags, int mode) {
        try (Arena arena = Arena.ofConfined()) {
            return (int) checked("open", Libc.open(text(arena, path), flags, mode));
        }
    }

    public static void close(int fd) {
        checked("close", Libc.close(fd));
    }

    /** Up to {@code count} bytes from the offset; fewer at the end of the file. */
    public static byte[] pread(int fd, long offset, int count) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(Math.max(count, 1), ALIGNMENT);
            int done = 0;
            while (done < count) {
                int got = (int) checked("pread", Libc.pread(fd, buffer.asSlice(done), count - done, offset + done));
                if (got == 0) {
                    break;
                }
                done += got;
            }
            return buffer.asSlice(0, done).toArray(JAVA_BYTE);
        }
    }

    /** One pwrite; returns how many bytes were taken. */
    public static int pwrite(int fd, long offset, byte[] bytes) {
        try (Arena arena = Arena.ofConfined()) {
            return (int) checked("pwrite", Libc.pwrite(fd, bytes(arena, bytes), bytes.length, offset));
        }
    }

    /** One write; returns how many bytes were taken. */
    public static int write(int fd, byte[] bytes) {
        try (Arena arena = Arena.ofConfined()) {
            return (int) checked("write", Libc.write(fd, bytes(arena, bytes), bytes.length));
        }
    }

    public static void ftruncate(int fd, long size) {
        checked("ftruncate", Libc.ftruncate(fd, size));
    }

    public static void fallocate(int fd, int mode, long offset, long length) {
        checked("fallocate", Libc.fallocate(fd, mode, offset, length));
    }

    /** As lseek with SEEK_DATA or SEEK_HOLE. */
    public static long seek(int fd, long offset, int whence) {
        return checked("lseek", Libc.lseek(fd, offset, whence));
    }

    public static void fsync(int fd) {
        checked("fsync", Libc.fsync(fd));
    }

    /** Has a directory's changes on disk. */
    public static void sync(Path directory) {
        int fd = open(directory, O_RDONLY | O_DIRECTORY, 0);
        try {
            fsync(fd);
        } finally {
            close(fd);
        }
    }

    public static void truncate(Path path, long size) {
        withPath(path, text -> TRUNCATE.call(text, size));
    }

    public static void mkdir(Path path, int mode) {
        withPath(path, text -> MKDIR.call(text, mode));
    }

    public static void mknod(Path path, int mode) {
        withPath(path, text -> MKNOD.call(text, mode, 0L));
    }

    public static void rmdir(Path path) {
        withPath(path, RMDIR::call);
    }

    public static void unlink(Path path) {
        withPath(path, UNLINK::call);
    }

    public static void rename(Path from, Path to) {
        try (Arena arena = Arena.ofConfined()) {
            RENAME.call(text(arena, from), text(arena, to));
        }
    }

    /** With RENAME_NOREPLACE (1) or RENAME_EXCHANGE (2). */
    public static void rename(Path from, Path to, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            RENAMEAT2.call(AT_FDCWD, text(arena, from), AT_FDCWD, text(arena, to), flags);
        }
    }

    public static void link(Path existing, Path added) {
        try (Arena arena = Arena.ofConfined()) {
            LINK.call(text(arena, existing), text(arena, added));
        }
    }

    public static void symlink(String target, Path path) {
        try (Arena arena = Arena.ofConfined()) {
            SYMLINK.call(arena.allocateFrom(target), text(arena, path));
        }
    }

    public static String readlink(Path path) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment target = arena.allocate(4096);
            long length = READLINK.call(text(arena, path), target, target.byteSize());
            return new String(target.asSlice(0, length).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
        }
    }

    public static void chmod(Path path, int mode) {
        withPath(path, text -> CHMOD.call(text, mode));
    }

    /** Of the link itself where the path is a symbolic link. */
    public static void lchown(Path path, int owner, int group) {
        withPath(path, text -> LCHOWN.call(text, owner, group));
    }

    /** Of the file that the path leads to. */
    public static void utimens(Path path, Instant accessed, Instant modified) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment times = arena.allocate(32, 8);
            times.set(JAVA_LONG, 0, accessed.getEpochSecond());
            times.set(JAVA_LONG, 8, accessed.getNano());
            times.set(JAVA_LONG, 16, modified.getEpochSecond());
            times.set(JAVA_LONG, 24, modified.getNano());
            UTIMENSAT.call(AT_FDCWD, text(arena, path), times, 0);
        }
    }

    /** Of the link itself where the path is a symbolic link. */
    public static FileStatus lstat(Path path) {
        try (Arena arena = Arena.ofConfined()) {
            return StatusLayout.stat(AT_FDCWD, text(arena, path), AT_SYMLINK_NOFOLLOW);
        }
    }

    /** Of the file that the path leads to. */
    public static FileStatus stat(Path path) {
        try (Arena arena = Arena.ofConfined()) {
            return StatusLayout.stat(AT_FDCWD, text(arena, path), 0);
        }
    }

    public static FileStatus fstat(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            return StatusLayout.stat(fd, arena.allocateFrom(""), StatusLayout.AT_EMPTY_PATH);
        }
    }

    public static SpaceStatus statvfs(Path path) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(StatusLayout.STATVFS_SIZE, 8);
            STATVFS.call(text(arena, path), buffer);
            return StatusLayout.space(buffer);
        }
    }

    /** Signal 0 only asks whether the process exists. */
    public static void kill(long pid, int signal) {
        KILL.call((int) pid, signal);
    }

    /** Sets it for the whole process and returns the one before. */
    public static int umask(int mask) {
        return (int) UMASK.call(mask);
    }

    static MemorySegment text(Arena arena, Path path) {
        return arena.allocateFrom(path.toString());
    }

    static long checked(String call, long result) {
        if (result < 0) {
            throw SystemCall.failure(call, (int) -result);
        }
        return result;
    }

    static MemorySegment bytes(Arena arena, byte[] bytes) {
        MemorySegment segment = arena.allocate(Math.max(bytes.length, 1), ALIGNMENT);
        MemorySegment.copy(bytes, 0, segment, JAVA_BYTE, 0, bytes.length);
        return segment;
    }

    private static void withPath(Path path, PathCall call) {
        try (Arena arena = Arena.ofConfined()) {
            call.on(text(arena, path));
        }
    }

    private interface PathCall {
        long on(MemorySegment path);
    }
}
