package org.beefs.honeybee.fuse.operations;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which directories are open, and for how many more of their entries the kernel is given attributes. Thread-safe; holds
 * one object for each directory that is open.
 */
public final class OpenDirectories {
    /**
     * So many entries come with attributes at first, and again whenever somebody looks for one that came without. In a
     * larger directory attributes that nobody wants cost more than the listing, and take the place of others in the
     * caches.
     */
    public static final int WITH_ATTRIBUTES = 4096;

    private final Map<Long, Open> directories = new ConcurrentHashMap<>();

    /**
     * A directory that is open.
     *
     * @param times how often
     * @param left how many entries are told with attributes; negative when that is over
     */
    private record Open(int times, int left) {}

    /** A directory is opened once more; {@link #close} follows. */
    void open(long directory) {
        directories.merge(
                directory, new Open(1, WITH_ATTRIBUTES), (known, fresh) -> new Open(known.times + 1, known.left));
    }

    void close(long directory) {
        directories.computeIfPresent(
                directory, (inode, known) -> known.times == 1 ? null : new Open(known.times - 1, known.left));
    }

    /** Somebody looks for a name in the directory: what it lists next is probably looked at as well. */
    void lookedUp(long directory) {
        Open known = directories.get(directory);
        if (known != null && known.left < 0) {
            begin(directory);
        }
    }

    /** The directory is listed from its beginning, or as if it were. */
    void begin(long directory) {
        directories.computeIfPresent(directory, (inode, known) -> new Open(known.times, WITH_ATTRIBUTES));
    }

    /** Whether the next entries, at most so many, are to come with attributes. */
    boolean takeAttributes(long directory, int entries) {
        Open known = directories.computeIfPresent(
                directory, (inode, present) -> new Open(present.times, Math.max(-1, present.left - entries)));
        return known != null && known.left >= 0;
    }

    /** What is listed next is to come without attributes, unless somebody looks. */
    void stop(long directory) {
        directories.computeIfPresent(directory, (inode, known) -> new Open(known.times, -1));
    }
}
