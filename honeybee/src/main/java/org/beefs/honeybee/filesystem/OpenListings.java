package org.beefs.honeybee.filesystem;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.honeybee.HoneybeeConfig;

/** Listings of the directories that programs have open through a driver, by handle. Thread-safe. */
public final class OpenListings {
    /** Directories that are open at a time, about: who opens several at once may get a few more. */
    static final int MOST = HoneybeeConfig.MOST_OPEN_FILES;

    private final AtomicLong lastHandle = new AtomicLong();
    private final Map<Long, OpenListing> listings = new ConcurrentHashMap<>();

    /** A new handle of a directory; {@link #close} follows. Fails with ENFILE when too many are open. */
    public long open(long inode) {
        if (listings.size() >= MOST) {
            throw new PosixException(Errno.ENFILE, MOST + " directories are open on this mount");
        }
        long handle = lastHandle.incrementAndGet();
        listings.put(handle, new OpenListing(inode));
        return handle;
    }

    public void close(long handle) {
        listings.remove(handle);
    }

    /** Fails with EBADF if there is none. */
    public OpenListing get(long handle) {
        OpenListing listing = listings.get(handle);
        if (listing == null) {
            throw new PosixException(Errno.EBADF, "the directory is not open");
        }
        return listing;
    }
}
