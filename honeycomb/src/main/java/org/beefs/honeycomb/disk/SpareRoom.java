package org.beefs.honeycomb.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.common.linux.Libc;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.ProductionOnly;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Room on the disk that is set aside for starts. A start has to write; on a disk that is full nothing of what is here
 * could be read without it. A file takes the room. What a start, and then the process, leaves of it is taken again at
 * once, before others do, for the next start. For one thread at a time.
 */
@ProductionOnly
final class SpareRoom {
    /**
     * RocksDB may write two buffers of 4 MiB when it opens its database after a kill. It sets aside 8 MiB for its log
     * and its manifest, of which it gives back what it has not used when it is closed; it goes on without if there is
     * less.
     */
    static final long BYTES = 16 << 20;

    /** What is taken again is a multiple of it, so that the file system has some blocks to note that in. */
    static final long UNIT = 64 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(SpareRoom.class);
    private static final int OWNER_ONLY = 0600;

    private final Path file;
    private final Disk disk;
    private boolean given;

    /** The disk that the folder is on. */
    interface Disk {
        /** Bytes that an ordinary user may still take. */
        long free() throws IOException;
    }

    SpareRoom(Path folder, Disk disk) {
        this.file = folder.resolve("spare");
        this.disk = disk;
    }

    /**
     * To be called before a start writes: gives the room to the disk if there is no other. Harmless where that is
     * impossible.
     */
    void giveIfFull() {
        try {
            if (disk.free() < BYTES && Files.deleteIfExists(file)) {
                given = true;
                LOG.warn(
                        "the disk is full, and this start uses the room that {} has kept for it; free some space",
                        file);
            }
        } catch (IOException e) {
            LOG.debug("no room is given to a full disk: {}", e.getMessage());
        }
    }

    /**
     * To be called when a start has written, or has failed, and again when the database is closed: takes what is left
     * of the room that was given; otherwise all of it, unless little more is free. Harmless where it is taken, or
     * cannot be.
     */
    void keep() {
        try {
            long taken = taken();
            long room = affordable(taken);
            if (room > taken) {
                take(room);
            }
        } catch (IOException | PosixException e) {
            LOG.debug("no room is kept for a start on a full disk: {}", e.getMessage());
        }
    }

    private long affordable(long taken) throws IOException {
        long free = disk.free();
        if (given) {
            long all = taken + free;
            return Math.min(BYTES, all - all % UNIT);
        }
        return free >= 2 * BYTES ? BYTES : 0;
    }

    /**
     * Bytes that the file takes, by its blocks: a copy of the folder may have the file's size and none of its blocks.
     */
    private long taken() {
        try (LinuxReplicaFile kept = LinuxReplicaFile.open(file)) {
            return kept == null ? 0 : kept.status().allocated();
        }
    }

    private void take(long room) {
        int fd = LinuxCalls.open(file, LinuxCalls.O_RDWR | LinuxCalls.O_CREAT | LinuxCalls.O_NOFOLLOW, OWNER_ONLY);
        try {
            LinuxCalls.check(file, () -> Libc.fallocate(fd, 0, 0, room));
        } finally {
            Libc.close(fd);
        }
    }
}
