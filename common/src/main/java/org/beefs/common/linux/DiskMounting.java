package org.beefs.common.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Tells whether a file system was unmounted, or lost its disk, and was mounted again while the machine ran. Only the
 * kernel's own keeping of it counts: mount points come and go with containers and with units that have mounts of their
 * own, and nothing is lost by that.
 *
 * <p>For each file system of the kinds that honeycombs lie on the kernel makes a folder in sysfs when it begins to keep
 * it, and removes that when it ends. No two of these folders have the same inode number, for as long as the machine
 * runs, and it is the same in every instance of sysfs.
 */
public final class DiskMounting {
    /** Kinds whose folders are named as their devices are. */
    private static final List<String> BY_DEVICE = List.of("ext4", "xfs");

    private static final int O_CLOEXEC = 0x80000;
    private static final long BTRFS_IOC_FS_INFO = 0x8400_941FL;

    /** Bytes of the answer to {@code BTRFS_IOC_FS_INFO}. */
    private static final int FS_INFO_SIZE = 1024;

    private static final int FSID_AT = 16;
    private static final ValueLayout.OfLong BIG_ENDIAN =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final Path sysfs;

    public DiskMounting() {
        this(Path.of("/sys"));
    }

    DiskMounting(Path sysfs) {
        this.sysfs = sysfs;
    }

    /**
     * The number of the present mounting of the file system that a file is on, or will be made on: unique until the
     * machine starts anew. Empty where the kernel does not tell.
     */
    public OptionalLong of(Path file) {
        try {
            return OptionalLong.of((long) Files.getAttribute(folder(existing(file)), "unix:ino"));
        } catch (IOException unknown) {
            return OptionalLong.empty();
        }
    }

    private static Path existing(Path file) throws IOException {
        for (Path above = file.toAbsolutePath(); above != null; above = above.getParent()) {
            if (Files.exists(above)) {
                return above;
            }
        }
        throw new NoSuchFileException(file.toString());
    }

    private Path folder(Path file) throws IOException {
        Path device = sysfs.resolve("dev/block").resolve(device(file));
        if (!Files.exists(device)) { // a file system of several devices has none
            return sysfs.resolve("fs/btrfs").resolve(btrfs(file).toString());
        }
        Path name = device.toRealPath().getFileName();
        return BY_DEVICE.stream()
                .map(kind -> sysfs.resolve("fs").resolve(kind).resolve(name))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow(() -> new NoSuchFileException(String.valueOf(name)));
    }

    /** The device of a file's file system: major and minor number, as the C library packs them. */
    static String device(Path file) throws IOException {
        long packed = (long) Files.getAttribute(file, "unix:dev");
        long major = (packed >>> 8 & 0xfff) | (packed >>> 32 & 0xffff_f000L);
        long minor = (packed & 0xff) | (packed >>> 12 & 0xffff_ff00L);
        return major + ":" + minor;
    }

    private static UUID btrfs(Path file) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            int fd = Libc.open(arena.allocateFrom(file.toString()), O_CLOEXEC, 0);
            MemorySegment info = arena.allocate(FS_INFO_SIZE, Long.BYTES);
            int result = fd < 0 ? fd : Libc.ioctl(fd, BTRFS_IOC_FS_INFO, info);
            if (fd >= 0) {
                Libc.close(fd);
            }
            if (result < 0) {
                throw new IOException(file + " is on no file system that tells");
            }
            return new UUID(info.get(BIG_ENDIAN, FSID_AT), info.get(BIG_ENDIAN, FSID_AT + Long.BYTES));
        }
    }
}
