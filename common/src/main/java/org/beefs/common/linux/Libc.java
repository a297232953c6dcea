package org.beefs.common.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.beefs.common.linux.CFunction.at;
import static org.beefs.common.linux.CFunction.keeping;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The C library's functions, one to one: section 2 of the Linux manual says what they do. A negative result is
 * {@code -errno}. Strings are NUL-terminated segments, all memory is outside of the heap. Stateless and thread-safe;
 * those that block in the kernel block the carrier of a virtual thread.
 */
public final class Libc {
    /** More than {@code posix_spawn_file_actions_t} takes. */
    private static final int SPAWN_ACTIONS = 128;

    private static final CFunction OPEN = CFunction.variadic("open");
    private static final CFunction CLOSE = CFunction.of("close");
    private static final CFunction READ = CFunction.of("read");
    private static final CFunction WRITE = CFunction.of("write");
    private static final CFunction WRITEV = CFunction.of("writev");
    private static final CFunction PREAD = CFunction.of("pread");
    private static final CFunction PWRITE = CFunction.of("pwrite");
    private static final CFunction PWRITEV2 = CFunction.of("pwritev2");
    private static final CFunction PREADV2 = CFunction.of("preadv2");
    private static final CFunction COPY_FILE_RANGE = CFunction.of("copy_file_range");
    private static final CFunction FTRUNCATE = CFunction.of("ftruncate");
    private static final CFunction FALLOCATE = CFunction.of("fallocate");
    private static final CFunction FSYNC = CFunction.of("fsync");
    private static final CFunction FDATASYNC = CFunction.of("fdatasync");
    private static final CFunction SYNCFS = CFunction.of("syncfs");
    private static final CFunction LSEEK = CFunction.of("lseek");
    private static final CFunction STATX = CFunction.of("statx");
    private static final CFunction STATVFS = CFunction.of("statvfs");
    private static final CFunction FUTIMENS = CFunction.of("futimens");
    private static final CFunction FSETXATTR = CFunction.of("fsetxattr");
    private static final CFunction FGETXATTR = CFunction.of("fgetxattr");
    private static final CFunction FREMOVEXATTR = CFunction.of("fremovexattr");
    private static final CFunction SETXATTR = CFunction.of("setxattr");
    private static final CFunction GETXATTR = CFunction.of("getxattr");
    private static final CFunction REMOVEXATTR = CFunction.of("removexattr");
    private static final CFunction UNLINK = CFunction.of("unlink");
    private static final CFunction RENAME = CFunction.of("rename");
    private static final CFunction MOUNT = CFunction.of("mount");
    private static final CFunction UMOUNT2 = CFunction.of("umount2");
    private static final CFunction UNSHARE = CFunction.of("unshare");
    private static final CFunction SYSCALL = CFunction.variadic("syscall");
    private static final CFunction IOCTL = CFunction.variadic("ioctl");
    private static final CFunction FCNTL = CFunction.variadic("fcntl");
    private static final CFunction SOCKETPAIR = CFunction.of("socketpair");
    private static final CFunction SETSOCKOPT = CFunction.of("setsockopt");
    private static final CFunction POLL = CFunction.of("poll");
    private static final CFunction SEND = CFunction.of("send");
    private static final CFunction RECVMSG = CFunction.of("recvmsg");
    private static final CFunction WAITPID = CFunction.of("waitpid");
    private static final CFunction KILL = CFunction.of("kill");
    private static final CFunction POSIX_SPAWNP = CFunction.of("posix_spawnp");
    private static final CFunction SPAWN_ACTIONS_INIT = CFunction.of("posix_spawn_file_actions_init");
    private static final CFunction SPAWN_ACTIONS_ADDDUP2 = CFunction.of("posix_spawn_file_actions_adddup2");
    private static final CFunction SPAWN_ACTIONS_DESTROY = CFunction.of("posix_spawn_file_actions_destroy");

    /**
     * The function of the clocks, called so often that it must not cost more than the look at the clock: no errno, and
     * the collector waits for its end.
     */
    private static final MethodHandle CLOCK_GETTIME = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("clock_gettime"),
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS),
                    Linker.Option.critical(true));

    /** Numbers of system calls that older C libraries lack; the same on all architectures. */
    private static final int SYS_OPEN_TREE = 428;

    private static final int SYS_MOVE_MOUNT = 429;

    private Libc() {}

    public static int open(MemorySegment path, int flags, int mode) {
        return keeping(path, OPEN.callInt(at(path), flags, mode));
    }

    public static int close(int fd) {
        return CLOSE.callInt(fd);
    }

    public static long read(int fd, MemorySegment buffer, long count) {
        return keeping(buffer, READ.call(fd, at(buffer), count));
    }

    public static long write(int fd, MemorySegment buffer, long count) {
        return keeping(buffer, WRITE.call(fd, at(buffer), count));
    }

    public static long writev(int fd, MemorySegment vectors, int count) {
        return keeping(vectors, WRITEV.call(fd, at(vectors), count));
    }

    public static long pread(int fd, MemorySegment buffer, long count, long offset) {
        return keeping(buffer, PREAD.call(fd, at(buffer), count, offset, 0, 0));
    }

    public static long pwrite(int fd, MemorySegment buffer, long count, long offset) {
        return keeping(buffer, PWRITE.call(fd, at(buffer), count, offset, 0, 0));
    }

    public static long pwritev2(int fd, MemorySegment vectors, int count, long offset, int flags) {
        return keeping(vectors, PWRITEV2.call(fd, at(vectors), count, offset, flags, 0));
    }

    public static long preadv2(int fd, MemorySegment vectors, int count, long offset, int flags) {
        return keeping(vectors, PREADV2.call(fd, at(vectors), count, offset, flags, 0));
    }

    public static long copyFileRange(int in, MemorySegment inOffset, int out, MemorySegment outOffset, long count) {
        return keeping(
                inOffset, keeping(outOffset, COPY_FILE_RANGE.call(in, at(inOffset), out, at(outOffset), count, 0)));
    }

    public static int ftruncate(int fd, long size) {
        return FTRUNCATE.callInt(fd, size, 0);
    }

    public static int fallocate(int fd, int mode, long offset, long length) {
        return FALLOCATE.callInt(fd, mode, offset, length, 0, 0);
    }

    public static int fsync(int fd) {
        return FSYNC.callInt(fd);
    }

    public static int fdatasync(int fd) {
        return FDATASYNC.callInt(fd);
    }

    public static int syncfs(int fd) {
        return SYNCFS.callInt(fd);
    }

    public static long lseek(int fd, long offset, int whence) {
        return LSEEK.call(fd, offset, whence);
    }

    public static int statx(int directory, MemorySegment path, int flags, int mask, MemorySegment attributes) {
        return keeping(path, keeping(attributes, STATX.callInt(directory, at(path), flags, mask, at(attributes), 0)));
    }

    /** In section 3 of the manual. */
    public static int statvfs(MemorySegment path, MemorySegment space) {
        return keeping(path, keeping(space, STATVFS.callInt(at(path), at(space), 0)));
    }

    public static int futimens(int fd, MemorySegment times) {
        return keeping(times, FUTIMENS.callInt(fd, at(times), 0));
    }

    public static int fsetxattr(int fd, MemorySegment name, MemorySegment value, long size, int flags) {
        return keeping(name, keeping(value, FSETXATTR.callInt(fd, at(name), at(value), size, flags, 0)));
    }

    public static long fgetxattr(int fd, MemorySegment name, MemorySegment value, long size) {
        return keeping(name, keeping(value, FGETXATTR.call(fd, at(name), at(value), size, 0, 0)));
    }

    public static int fremovexattr(int fd, MemorySegment name) {
        return keeping(name, FREMOVEXATTR.callInt(fd, at(name), 0));
    }

    public static int setxattr(MemorySegment path, MemorySegment name, MemorySegment value, long size, int flags) {
        return keeping(
                path, keeping(name, keeping(value, SETXATTR.callInt(at(path), at(name), at(value), size, flags, 0))));
    }

    public static long getxattr(MemorySegment path, MemorySegment name, MemorySegment value, long size) {
        return keeping(path, keeping(name, keeping(value, GETXATTR.call(at(path), at(name), at(value), size, 0, 0))));
    }

    public static int removexattr(MemorySegment path, MemorySegment name) {
        return keeping(path, keeping(name, REMOVEXATTR.callInt(at(path), at(name), 0)));
    }

    public static int unlink(MemorySegment path) {
        return keeping(path, UNLINK.callInt(at(path)));
    }

    public static int rename(MemorySegment from, MemorySegment to) {
        return keeping(from, keeping(to, RENAME.callInt(at(from), at(to), 0)));
    }

    public static int mount(
            MemorySegment source, MemorySegment target, MemorySegment type, long flags, MemorySegment data) {
        return keeping(
                source,
                keeping(
                        target,
                        keeping(
                                type,
                                keeping(data, MOUNT.callInt(at(source), at(target), at(type), flags, at(data), 0)))));
    }

    public static int umount2(MemorySegment target, int flags) {
        return keeping(target, UMOUNT2.callInt(at(target), flags, 0));
    }

    /** Ends the sharing of something that the calling thread shares with the others of its process. */
    public static int unshare(int flags) {
        return UNSHARE.callInt(flags);
    }

    public static int openTree(int directory, MemorySegment path, int flags) {
        return keeping(path, SYSCALL.callInt(SYS_OPEN_TREE, directory, at(path), flags, 0, 0));
    }

    public static int moveMount(
            int fromDirectory, MemorySegment fromPath, int toDirectory, MemorySegment toPath, int flags) {
        return keeping(
                fromPath,
                keeping(
                        toPath,
                        SYSCALL.callInt(SYS_MOVE_MOUNT, fromDirectory, at(fromPath), toDirectory, at(toPath), flags)));
    }

    public static int ioctl(int fd, long request, MemorySegment argument) {
        return keeping(argument, IOCTL.callInt(fd, request, at(argument)));
    }

    /** For commands whose argument is an int. */
    public static int fcntl(int fd, int command, int argument) {
        return FCNTL.callInt(fd, command, argument);
    }

    public static int socketpair(int domain, int type, int protocol, MemorySegment pair) {
        return keeping(pair, SOCKETPAIR.callInt(domain, type, protocol, at(pair), 0, 0));
    }

    public static int setsockopt(int fd, int level, int option, MemorySegment value, int length) {
        return keeping(value, SETSOCKOPT.callInt(fd, level, option, at(value), length, 0));
    }

    public static int poll(MemorySegment descriptors, int count, int timeout) {
        return keeping(descriptors, POLL.callInt(at(descriptors), count, timeout));
    }

    public static long send(int fd, MemorySegment buffer, long count, int flags) {
        return keeping(buffer, SEND.call(fd, at(buffer), count, flags, 0, 0));
    }

    public static long recvmsg(int fd, MemorySegment message, int flags) {
        return keeping(message, RECVMSG.call(fd, at(message), flags));
    }

    public static int kill(int pid, int signal) {
        return KILL.callInt(pid, signal, 0);
    }

    public static int waitpid(int pid, MemorySegment status, int options) {
        return keeping(status, WAITPID.callInt(pid, at(status), options));
    }

    /**
     * posix_spawnp(3) of the program that the first argument names, with one descriptor of this process as its
     * descriptor {@code as}; beside that it inherits what is not closed at exec.
     */
    public static int spawn(
            MemorySegment pid, int descriptor, int as, MemorySegment arguments, MemorySegment environment) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment actions = arena.allocate(SPAWN_ACTIONS, 8);
            int failure = SPAWN_ACTIONS_INIT.callInt(at(actions));
            if (failure != 0) {
                return -failure;
            }
            try {
                return -spawn(pid, descriptor, as, actions, arguments, environment);
            } finally {
                SPAWN_ACTIONS_DESTROY.callInt(at(actions));
            }
        }
    }

    /** These functions return what others leave in errno. */
    private static int spawn(
            MemorySegment pid,
            int descriptor,
            int as,
            MemorySegment actions,
            MemorySegment arguments,
            MemorySegment environment) {
        int failure = SPAWN_ACTIONS_ADDDUP2.callInt(at(actions), descriptor, as);
        if (failure != 0) {
            return failure;
        }
        long program = arguments.get(ADDRESS, 0).address();
        return keeping(
                pid,
                keeping(
                        arguments,
                        keeping(
                                environment,
                                POSIX_SPAWNP.callInt(
                                        at(pid), program, at(actions), 0, at(arguments), at(environment)))));
    }

    /**
     * As the manual says, but that a failure is not explained: the result is -1 then.
     *
     * @param time seconds and nanoseconds, the {@code struct timespec}
     */
    public static int clockGettime(int clock, long[] time) {
        try {
            return (int) CLOCK_GETTIME.invokeExact(clock, MemorySegment.ofArray(time));
        } catch (Throwable impossible) {
            throw CFunction.neverThrown(impossible);
        }
    }
}
