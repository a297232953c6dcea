package org.beefs.honeycomb.disk;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.beefs.common.linux.Libc;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.ProductionOnly;

/** The immutable flag of a file, as chattr(1) sets it, through any descriptor of the file. */
@ProductionOnly
final class FileFlags {
    private static final long FS_IOC_GETFLAGS = 0x8008_6601L;
    private static final long FS_IOC_SETFLAGS = 0x4008_6602L;
    private static final int FS_IMMUTABLE_FL = 0x10;

    private FileFlags() {}

    /** Whether a file is immutable; false also where there is no such flag. */
    static boolean isImmutable(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment flags = arena.allocate(JAVA_LONG);
            return Libc.ioctl(fd, FS_IOC_GETFLAGS, flags) >= 0 && (flags.get(JAVA_INT, 0) & FS_IMMUTABLE_FL) != 0;
        }
    }

    /**
     * Sets or takes away the flag. When it has been set nobody can change the content any more: neither through
     * descriptors, nor through mappings, because the second flush takes back the right to store from pages that were
     * touched between the kernel's own flush and the flag. Fails with EPERM without the right to change the flag,
     * unless it is so already.
     */
    static void setImmutable(int fd, Object what, boolean immutable) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment flags = arena.allocate(JAVA_LONG);
            int present = read(fd, what, flags);
            flags.set(JAVA_INT, 0, immutable ? present | FS_IMMUTABLE_FL : present & ~FS_IMMUTABLE_FL);
            int result = Libc.ioctl(fd, FS_IOC_SETFLAGS, flags);
            if (result == -Errno.EPERM.number()) {
                throw new PosixException(
                        Errno.EPERM, what + ": its immutable flag is not changed without CAP_LINUX_IMMUTABLE");
            }
            LinuxCalls.check(what, result);
        }
        if (immutable) {
            LinuxCalls.check(what, () -> Libc.fdatasync(fd));
        }
    }

    private static int read(int fd, Object what, MemorySegment flags) {
        LinuxCalls.check(what, () -> Libc.ioctl(fd, FS_IOC_GETFLAGS, flags));
        return flags.get(JAVA_INT, 0);
    }
}
