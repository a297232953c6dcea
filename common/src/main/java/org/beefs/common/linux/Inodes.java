package org.beefs.common.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;

/**
 * How many files a file system takes: a disk without inodes takes none, however many bytes are free.
 *
 * @param total 0 where only bytes limit them, as on btrfs
 * @param free those that an ordinary user may still make
 */
public record Inodes(long total, long free) {
    public static final Inodes UNLIMITED = new Inodes(0, 0);

    /** Inodes that are left to the disk's owner, and to databases, which make new files before they remove old ones. */
    private static final long RESERVE = 1024;

    /** The part of the inodes that is left on disks with few: one in so many. */
    private static final long RESERVE_PART = 20;

    /** {@code struct statvfs} of 64-bit Linux: offsets and size in bytes. */
    private static final long TOTAL_AT = 40;

    private static final long FREE_AT = 48;
    private static final long STATVFS_SIZE = 128;

    /** The inodes of the file system that a file is on. Fails with {@link PosixException} when it does not tell. */
    public static Inodes of(Path file) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment space = arena.allocate(STATVFS_SIZE, 8);
            int failure = Libc.statvfs(arena.allocateFrom(file.toString()), space);
            if (failure != 0) {
                Errno errno = Errno.of(-failure);
                throw new PosixException(
                        errno, "asking how many files the disk of %s takes failed with %s".formatted(file, errno));
            }
            return new Inodes(space.get(JAVA_LONG, TOTAL_AT), space.get(JAVA_LONG, FREE_AT));
        }
    }

    /** Whether a disk that has refused something lacks them; false when it does not tell. */
    public static boolean areScarceBeside(Path file) {
        try {
            return of(file).areScarce();
        } catch (PosixException unknown) {
            return false;
        }
    }

    /** Whether no more than the reserve is free: at most 1024, or one in 20 of a disk on which that is less. */
    public boolean areScarce() {
        return free < Math.min(RESERVE, total / RESERVE_PART);
    }
}
