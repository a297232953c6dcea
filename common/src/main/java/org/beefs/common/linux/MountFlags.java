package org.beefs.common.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.beefs.common.posix.Errno;

/** What the mount that a file is in was told. */
public final class MountFlags {
    /** {@code struct statvfs} of 64-bit Linux: offset and size in bytes. */
    private static final long FLAGS_AT = 72;

    private static final long STATVFS_SIZE = 128;
    private static final long NOSUID = 2;

    private MountFlags() {}

    /** Whether it is mounted with {@code nosuid}, as are disks that ordinary users bring. */
    public static boolean isNosuid(Path file) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment status = arena.allocate(STATVFS_SIZE, 8);
            int failure = Libc.statvfs(arena.allocateFrom(file.toString()), status);
            if (failure != 0) {
                throw new IOException("asking how %s is mounted failed with %s".formatted(file, Errno.of(-failure)));
            }
            return (status.get(JAVA_LONG, FLAGS_AT) & NOSUID) != 0;
        }
    }
}
