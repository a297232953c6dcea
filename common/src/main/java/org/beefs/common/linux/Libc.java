package org.beefs.common.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The C library's functions, one to one: section 2 of the Linux manual says what they do. A negative result is
 * {@code -errno}. Strings are NUL-terminated segments. Stateless and thread-safe; those that block in the kernel block the
 * carrier of a virtual thread.
 */
public final class Libc {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option CAPTURE_ERRNO = Linker.Option.captureCallState("errno");
    private static final VarHandle ERRNO =
            Linker.Option.captureStateLayout().varHandle(PathElement.groupElement("errno"));

    /** Where a call of this thread leaves its errno; freed with the thread. */
    static final ThreadLocal<MemorySegment> CALL_STATE =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(Linker.Option.captureStateLayout()));

    /** More than {@code posix_spawn_file_actions_t} takes. */
    private static final int SPAWN_ACTIONS = 128;

    private static final MethodHandle OPEN =
            bindVariadic("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT), 2);
    private static final MethodHandle CLOSE = bind("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle READ =
            bind("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle WRITE =
            bind("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle WRITEV =
            bind("writev", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle PREAD =
            bind("pread", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle PWRITE =
            bind("pwrite", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle PWRITEV2 =
            bind("pwritev2", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle PREADV2 =
            bind("preadv2", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle COPY_FILE_RANGE = bind(
            "copy_file_range",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle FTRUNCATE =
            bind("ftruncate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle FALLOCATE =
            bind("fallocate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle FSYNC = bind("fsync", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle FDATASYNC = bind("fdatasync", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle SYNCFS = bind("syncfs", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle LSEEK =
            bind("lseek", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle STATX =
            bind("statx", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle FUTIMENS = bind("futimens", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle FSETXATTR =
            bind("fsetxattr", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle FGETXATTR =
            bind("fgetxattr", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG));
    private static final MethodHandle FREMOVEXATTR =
            bind("fremovexattr", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle SETXATTR =
            bind("setxattr", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle GETXATTR =
            bind("getxattr", FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG));
    private static final MethodHandle UNLINK = bind("unlink", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final MethodHandle MOUNT =
            bind("mount", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));
    private static final MethodHandle UMOUNT2 = bind("umount2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle IOCTL =
            bindVariadic("ioctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS), 2);
    private static final MethodHandle FCNTL =
            bindVariadic("fcntl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT), 2);
    private static final MethodHandle SOCKETPAIR =
            bind("socketpair", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle SETSOCKOPT =
            bind("setsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle SEND =
            bind("send", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle RECVMSG =
            bind("recvmsg", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle WAITPID =
            bind("waitpid", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle POSIX_SPAWNP =
            bind("posix_spawnp", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
    private static final MethodHandle SPAWN_ACTIONS_INIT =
            bind("posix_spawn_file_actions_init", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final MethodHandle SPAWN_ACTIONS_ADDDUP2 =
            bind("posix_spawn_file_actions_adddup2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
    private static final MethodHandle SPAWN_ACTIONS_DESTROY =
            bind("posix_spawn_file_actions_destroy", FunctionDescriptor.of(JAVA_INT, ADDRESS));

    /** Asked for so often that it must not cost more than the look at the clock: no errno, and the collector waits for its end. */
    private static final MethodHandle CLOCK_GETTIME = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("clock_gettime"),
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS),
            Linker.Option.critical(true));

    private Libc() {}

    public static int open(MemorySegment path, int flags, int mode) {
        MemorySegment state = CALL_STATE.get();
        try {
            int result = (int) OPEN.invokeExact(state, path, flags, mode);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static int close(int fd) {
        MemorySegment state = CALL_STATE.get();
        try {
            int result = (int) CLOSE.invokeExact(state, fd);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static long read(int fd, MemorySegment buffer, long count) {
        MemorySegment state = CALL_STATE.get();
        try {
            long result = (long) READ.invokeExact(state, fd, buffer, count);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static long write(int fd, MemorySegment buffer, long count) {
        MemorySegment state = CALL_STATE.get();
        try {
            long result = (long) WRITE.invokeExact(state, fd, buffer, count);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static long writev(int fd, MemorySegment vectors, int count) {
        MemorySegment state = CALL_STATE.get();
        try {
            long result = (long) WRITEV.invokeExact(state, fd, vectors, count);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static long pread(int fd, MemorySegment buffer, long count, long offset) {
        MemorySegment state = CALL_STATE.get();
        try {
            long result = (long) PREAD.invokeExact(state, fd, buffer, count, offset);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static long pwrite(int fd, MemorySegment buffer, long count, long offset) {
        MemorySegment state = CALL_STATE.get();
        try {
            long result = (long) PWRITE.invokeExact(state, fd, buffer, count, offset);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static long pwritev2(int fd, MemorySegment vectors, int count, long offset, int flags) {
        MemorySegment state = CALL_STATE.get();
        try {
            long result = (long) PWRITEV2.invokeExact(state, fd, vectors, count, offset, flags);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static long preadv2(int fd, MemorySegment vectors, int count, long offset, int flags) {
        MemorySegment state = CALL_STATE.get();
        try {
            long result = (long) PREADV2.invokeExact(state, fd, vectors, count, offset, flags);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static long copyFileRange(int in, MemorySegment inOffset, int out, MemorySegment outOffset, long count) {
        MemorySegment state = CALL_STATE.get();
        try {
            long result = (long) COPY_FILE_RANGE.invokeExact(state, in, inOffset, out, outOffset, count, 0);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static int ftruncate(int fd, long size) {
        MemorySegment state = CALL_STATE.get();
        try {
            int result = (int) FTRUNCATE.invokeExact(state, fd, size);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static int fallocate(int fd, int mode, long offset, long length) {
        MemorySegment state = CALL_STATE.get();
        try {
            int result = (int) FALLOCATE.invokeExact(state, fd, mode, offset, length);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static int fsync(int fd) {
        MemorySegment state = CALL_STATE.get();
        try {
            int result = (int) FSYNC.invokeExact(state, fd);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static int fdatasync(int fd) {
        MemorySegment state = CALL_STATE.get();
        try {
            int result = (int) FDATASYNC.invokeExact(state, fd);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static int syncfs(int fd) {
        MemorySegment state = CALL_STATE.get();
        try {
            int result = (int) SYNCFS.invokeExact(state, fd);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static long lseek(int fd, long offset, int whence) {
        MemorySegment state = CALL_STATE.get();
        try {
            long result = (long) LSEEK.invokeExact(state, fd, offset, whence);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static int statx(int directory, MemorySegment path, int flags, int mask, MemorySegment attributes) {
        MemorySegment state = CALL_STATE.get();
        try {
            int result = (int) STATX.invokeExact(state, directory, path, flags, mask, attributes);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static int futimens(int fd, MemorySegment times) {
        MemorySegment state = CALL_STATE.get();
        try {
            int result = (int) FUTIMENS.invokeExact(state, fd, times);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static int fsetxattr(int fd, MemorySegment name, MemorySegment value, long size, int flags) {
        MemorySegment state = CALL_STATE.get();
        try {
            int result = (int) FSETXATTR.invokeExact(state, fd, name, value, size, flags);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static long fgetxattr(int fd, MemorySegment name, MemorySegment value, long size) {
        MemorySegment state = CALL_STATE.get();
        try {
            long result = (long) FGETXATTR.invokeExact(state, fd, name, value, size);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static int fremovexattr(int fd, MemorySegment name) {
        MemorySegment state = CALL_STATE.get();
        try {
            int result = (int) FREMOVEXATTR.invokeExact(state, fd, name);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static int setxattr(MemorySegment path, MemorySegment name, MemorySegment value, long size, int flags) {
        MemorySegment state = CALL_STATE.get();
        try {
            int result = (int) SETXATTR.invokeExact(state, path, name, value, size, flags);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static long getxattr(MemorySegment path, MemorySegment name, MemorySegment value, long size) {
        MemorySegment state = CALL_STATE.get();
        try {
            long result = (long) GETXATTR.invokeExact(state, path, name, value, size);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static int unlink(MemorySegment path) {
        MemorySegment state = CALL_STATE.get();
        try {
            int result = (int) UNLINK.invokeExact(state, path);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static int mount(
            MemorySegment source, MemorySegment target, MemorySegment type, long flags, MemorySegment data) {
        MemorySegment state = CALL_STATE.get();
        try {
            int result = (int) MOUNT.invokeExact(state, source, target, type, flags, data);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static int umount2(MemorySegment target, int flags) {
        MemorySegment state = CALL_STATE.get();
        try {
            int result = (int) UMOUNT2.invokeExact(state, target, flags);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static int ioctl(int fd, long request, MemorySegment argument) {
        MemorySegment state = CALL_STATE.get();
        try {
            int result = (int) IOCTL.invokeExact(state, fd, request, argument);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    /** For commands whose argument is an int. */
    public static int fcntl(int fd, int command, int argument) {
        MemorySegment state = CALL_STATE.get();
        try {
            int result = (int) FCNTL.invokeExact(state, fd, command, argument);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static int socketpair(int domain, int type, int protocol, MemorySegment pair) {
        MemorySegment state = CALL_STATE.get();
        try {
            int result = (int) SOCKETPAIR.invokeExact(state, domain, type, protocol, pair);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static int setsockopt(int fd, int level, int option, MemorySegment value, int length) {
        MemorySegment state = CALL_STATE.get();
        try {
            int result = (int) SETSOCKOPT.invokeExact(state, fd, level, option, value, length);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static long send(int fd, MemorySegment buffer, long count, int flags) {
        MemorySegment state = CALL_STATE.get();
        try {
            long result = (long) SEND.invokeExact(state, fd, buffer, count, flags);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static long recvmsg(int fd, MemorySegment message, int flags) {
        MemorySegment state = CALL_STATE.get();
        try {
            long result = (long) RECVMSG.invokeExact(state, fd, message, flags);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    public static int waitpid(int pid, MemorySegment status, int options) {
        MemorySegment state = CALL_STATE.get();
        try {
            int result = (int) WAITPID.invokeExact(state, pid, status, options);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    /**
     * posix_spawnp(3) of the program that the first argument names, with one descriptor of this process as its descriptor
     * {@code as}; beside that it inherits what is not closed at exec.
     */
    public static int spawn(
            MemorySegment pid, int descriptor, int as, MemorySegment arguments, MemorySegment environment) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = CALL_STATE.get();
            MemorySegment actions = arena.allocate(SPAWN_ACTIONS, 8);
            int result = (int) SPAWN_ACTIONS_INIT.invokeExact(state, actions);
            if (result != 0) {
                return -result;
            }
            try {
                result = (int) SPAWN_ACTIONS_ADDDUP2.invokeExact(state, actions, descriptor, as);
                return result != 0
                        ? -result
                        : -(int) POSIX_SPAWNP.invokeExact(
                                state,
                                pid,
                                arguments.get(ADDRESS, 0),
                                actions,
                                MemorySegment.NULL,
                                arguments,
                                environment);
            } finally {
                int _ = (int) SPAWN_ACTIONS_DESTROY.invokeExact(state, actions);
            }
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
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
            throw neverThrown(impossible);
        }
    }

    static int errno(MemorySegment state) {
        return (int) ERRNO.get(state, 0L);
    }

    private static MethodHandle bind(String name, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, CAPTURE_ERRNO);
    }

    static MethodHandle bindVariadic(String name, FunctionDescriptor descriptor, int fixedArguments) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name),
                descriptor,
                CAPTURE_ERRNO,
                Linker.Option.firstVariadicArg(fixedArguments));
    }

    /** A downcall throws only for arguments of the wrong type or a closed arena: a defect of the caller. */
    static AssertionError neverThrown(Throwable cause) {
        return new AssertionError("a call of the C library threw", cause);
    }
}
