package org.beefs.integration.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import org.beefs.common.linux.Libc;

/** Where struct statx and struct statvfs of 64-bit Linux keep their fields. */
final class StatusLayout {
    static final int AT_EMPTY_PATH = 0x1000;
    static final long STATVFS_SIZE = 112;

    private static final int STATX_BASIC_STATS = 0x7ff;
    private static final long STATX_SIZE = 256;

    private StatusLayout() {}

    static FileStatus stat(int directory, MemorySegment path, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(STATX_SIZE, 8);
            Posix.checked("statx", Libc.statx(directory, path, flags, STATX_BASIC_STATS, buffer));
            return new FileStatus(
                    buffer.get(JAVA_LONG, 32),
                    Short.toUnsignedInt(buffer.get(JAVA_SHORT, 28)),
                    buffer.get(JAVA_INT, 16),
                    buffer.get(JAVA_INT, 20),
                    buffer.get(JAVA_INT, 24),
                    buffer.get(JAVA_LONG, 40),
                    buffer.get(JAVA_LONG, 48),
                    time(buffer, 64),
                    time(buffer, 112),
                    time(buffer, 96));
        }
    }

    static SpaceStatus space(MemorySegment buffer) {
        long fragment = buffer.get(JAVA_LONG, 8);
        return new SpaceStatus(
                fragment * buffer.get(JAVA_LONG, 16),
                fragment * buffer.get(JAVA_LONG, 24),
                fragment * buffer.get(JAVA_LONG, 32),
                buffer.get(JAVA_LONG, 40),
                buffer.get(JAVA_LONG, 48),
                buffer.get(JAVA_LONG, 80));
    }

    private static Instant time(MemorySegment buffer, long offset) {
        return Instant.ofEpochSecond(buffer.get(JAVA_LONG, offset), buffer.get(JAVA_INT, offset + 8));
    }
}
