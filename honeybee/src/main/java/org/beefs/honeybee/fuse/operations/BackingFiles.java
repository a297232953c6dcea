package org.beefs.honeybee.fuse.operations;

import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import org.beefs.common.posix.Errno;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.beefs.honeybee.fuse.exchange.Device;
import org.beefs.honeybee.mount.RequestMeter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the contents of open files travel: through this driver, or past it, where the kernel reads and writes a file of
 * this machine by itself ("passthrough"). Thread-safe; holds one object for each inode that is open.
 *
 * <p>The kernel wants all opens of an inode alike, and with the same backing id. So the first open decides, and the
 * others follow it until the last of them is released: before the kernel says so it has let go of the id itself.
 */
public final class BackingFiles {
    private static final Logger LOG = LoggerFactory.getLogger(BackingFiles.class);

    private final FileSystem fileSystem;
    private final Device device;
    private final RequestMeter meter;
    private final Map<Long, Backing> open = new ConcurrentHashMap<>();
    private volatile boolean possible;

    /**
     * @param device one that is open until the mount ends
     * @param meter hears of each open
     * @param agreed whether the kernel knows passthrough
     */
    public BackingFiles(FileSystem fileSystem, Device device, RequestMeter meter, boolean agreed) {
        this.fileSystem = fileSystem;
        this.device = device;
        this.meter = meter;
        this.possible = agreed;
    }

    /**
     * Counts an open until {@link #leave}, and finds out how its content travels. When that fails the handle is
     * released.
     */
    BackedFile enter(OpenedFile file) {
        long inode = file.attributes().getInode();
        Backing backing = open.compute(inode, (number, known) -> {
            Backing present = known == null ? new Backing() : known;
            present.opens++;
            return present;
        });
        boolean entered = false;
        try {
            BackedFile backed = backing.open(file);
            entered = true;
            meter.opened(backed.isBacked());
            return backed;
        } finally {
            if (!entered) {
                leave(inode);
                fileSystem.release(file.handle());
            }
        }
    }

    /** The kernel has released an open, or was never told of it. */
    void leave(long inode) {
        open.computeIfPresent(inode, (number, backing) -> {
            backing.opens--;
            if (backing.opens > 0) {
                return backing;
            }
            backing.close();
            return null;
        });
    }

    /**
     * An open file.
     *
     * @param backing its id of the file that the kernel reads and writes by itself
     * @param direct reads go through this driver nevertheless, and only mappings are of that file
     */
    record BackedFile(OpenedFile file, int backing, boolean direct) {
        /** Stands for no id: the content goes through this driver. */
        static final int NONE = 0;

        boolean isBacked() {
            return backing != NONE;
        }
    }

    /** What all opens of an inode have in common. */
    private final class Backing {
        /** Guarded by the map's lock for the inode. */
        private int opens;

        // Guarded by the monitor.
        private boolean decided;
        private int id;

        synchronized BackedFile open(OpenedFile file) {
            boolean direct = false;
            if (!decided) {
                id = decide(file.handle());
                decided = true;
            } else if (id != BackedFile.NONE) {
                direct = fileSystem.backingFile(file.handle(), true).isEmpty();
            }
            return new BackedFile(file, id, direct);
        }

        private int decide(long handle) {
            OptionalInt file = possible ? fileSystem.backingFile(handle, false) : OptionalInt.empty();
            return file.isPresent() ? openBacking(file.getAsInt()) : BackedFile.NONE;
        }

        synchronized void close() {
            if (id != BackedFile.NONE && device.holdIfOpen()) {
                device.closeBacking(id);
                device.release();
            }
        }
    }

    private int openBacking(int file) {
        if (!device.holdIfOpen()) {
            return BackedFile.NONE;
        }
        int id = device.openBacking(file);
        device.release();
        if (id < 0) {
            refused(Errno.of(-id));
        }
        return Math.max(id, BackedFile.NONE);
    }

    /** What is refused for what the file system below is, or who this process is, will be refused again. */
    private void refused(Errno errno) {
        switch (errno) {
            case ELOOP, EPERM, EOPNOTSUPP -> {
                possible = false;
                LOG.warn(
                        "the kernel does not read and write files of the honeycomb's file system by itself ({}): contents go through the daemon",
                        errno);
            }
            default -> LOG.warn("a file's content goes through the daemon, because the kernel fails with {}", errno);
        }
    }
}
