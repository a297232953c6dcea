package org.beefs.honeycomb.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.beefs.common.linux.Libc;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.ProductionOnly;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Room on the disk that is kept for a start that finds the disk full. A start has to write; without room for that nothing of what is here could be
 * read. A file takes the room meanwhile.
 */
@ProductionOnly
public final class SpareRoom {
    /** Twice the two buffers of 4 MiB that RocksDB may have to write when it opens its database after a kill. */
    static final long BYTES = 16 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(SpareRoom.class);
    private static final int OWNER_ONLY = 0600;

    private final Path file;
    private final Supplier<DiskSpace> disk;

    /** @param folder of the honeycomb, which is on that disk */
    public SpareRoom(Path folder, Supplier<DiskSpace> disk) {
        this.file = folder.resolve("spare");
        this.disk = disk;
    }

    /** To be called before a start writes: gives the room back to the disk if there is no other. */
    public void giveBackIfFull() throws IOException {
        if (disk.get().free() < BYTES && Files.deleteIfExists(file)) {
            LOG.warn(
                    "the disk is full, and the room that was kept for this start in {} is used up; free some space there",
                    file);
        }
    }

    /** Takes it from the disk, unless little more is left. Harmless where it is taken, or cannot be. */
    public void keep() {
        try {
            if (disk.get().free() >= 2 * BYTES) {
                take();
            }
        } catch (PosixException e) {
            LOG.debug("no room is kept for a start on a full disk: {}", e.getMessage());
        }
    }

    private void take() {
        int fd = LinuxCalls.open(file, LinuxCalls.O_RDWR | LinuxCalls.O_CREAT, OWNER_ONLY);
        try {
            LinuxCalls.check(file, () -> Libc.fallocate(fd, 0, 0, BYTES));
        } finally {
            Libc.close(fd);
        }
    }
}
