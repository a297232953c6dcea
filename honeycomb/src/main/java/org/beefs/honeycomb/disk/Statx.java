package org.beefs.honeycomb.disk;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import org.beefs.common.wire.Timestamp;

/** The fields of struct statx that a honeycomb needs, by their offsets, which are the same on every architecture. */
final class Statx {
    /** Size of the struct in bytes. */
    static final int BYTES = 256;

    /** STATX_BASIC_STATS: all that stat(2) tells. */
    static final int BASIC = 0x7ff;

    private static final long SIZE = 40;
    private static final long BLOCKS = 48;
    private static final long ATIME = 64;
    private static final long CTIME = 96;
    private static final long MTIME = 112;

    private Statx() {}

    static FileStatus decode(MemorySegment statx) {
        return new FileStatus(
                statx.get(JAVA_LONG, SIZE),
                statx.get(JAVA_LONG, BLOCKS),
                time(statx, ATIME),
                time(statx, MTIME),
                time(statx, CTIME));
    }

    private static Timestamp time(MemorySegment statx, long offset) {
        return Timestamp.newBuilder()
                .setSeconds(statx.get(JAVA_LONG, offset))
                .setNanos(statx.get(JAVA_INT, offset + 8))
                .build();
    }
}
