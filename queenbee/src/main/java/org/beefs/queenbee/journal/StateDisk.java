package org.beefs.queenbee.journal;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.beefs.common.linux.Inodes;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.ProductionOnly;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The disk with the queen-bee's state, without room on which she ends. It is asked every {@link #DISTANCE} how much of
 * it is free, on a thread of its own, because a disk may hang; when that is little, the log says so. Thread-safe.
 */
@ProductionOnly
public final class StateDisk implements AutoCloseable {
    private static final Duration DISTANCE = Duration.ofSeconds(5);
    private static final Logger LOG = LoggerFactory.getLogger(StateDisk.class);

    private final Path folder;
    private final Supplier<DiskSpace> disk;
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile DiskSpace space = DiskSpace.UNKNOWN;

    /** Used by the thread that looks. */
    private boolean warned;

    /** Looks only when told to. */
    StateDisk(Path folder, Supplier<DiskSpace> disk) {
        this.folder = folder;
        this.disk = disk;
    }

    /** Begins to look at the disk that a folder is on. */
    public static StateDisk watch(Path folder) {
        StateDisk watched = new StateDisk(folder, () -> spaceOf(folder.toFile()));
        Thread.ofPlatform().name("beefs-state-disk").daemon().start(watched::watch);
        return watched;
    }

    /** As last seen; unknown before the first look. Does not wait for the disk. */
    public DiskSpace space() {
        return space;
    }

    /** Warns once each time that there has come to be little room. */
    void look() {
        DiskSpace now = disk.get();
        space = now;
        if (now.hasLittleRoom() && !warned) {
            LOG.warn("only {} are free on the disk of {}: the hive stops when it is full", now.left(), folder);
        }
        warned = now.hasLittleRoom();
    }

    /** Looks no more. Does not wait for a disk that hangs. */
    @Override
    public void close() {
        closing.countDown();
    }

    private void watch() {
        try {
            do {
                look();
            } while (!closing.await(DISTANCE.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Unknown where nothing can be told. */
    private static DiskSpace spaceOf(File folder) {
        try {
            return new DiskSpace(folder.getTotalSpace(), folder.getUsableSpace(), Inodes.of(folder.toPath()));
        } catch (PosixException failing) {
            return DiskSpace.UNKNOWN;
        }
    }
}
