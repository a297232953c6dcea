package org.beefs.honeybee.filesystem;

import java.util.List;
import org.beefs.honeybee.filesystem.FileSystem.Listing;

/**
 * The listing of a directory that a program has open. It goes to where the directory ended when the listing began. What
 * was made or renamed since has its place behind that. If it were listed too, a program that renames each entry which
 * it is told, or makes another one beside it, would never come to an end. Thread-safe.
 */
public final class OpenListing {
    /** The entries "." and "..", which the file system leaves to the driver. */
    public static final long COOKIE_SELF = 1;

    public static final long COOKIE_PARENT = 2;

    private static final long UNKNOWN = 0;

    private final long inode;
    private volatile long end = UNKNOWN;

    OpenListing(long inode) {
        this.inode = inode;
    }

    /** What the file system is asked for, which has no dots, when the driver lists what is behind a cookie. */
    public static long behindDots(long cookie) {
        return cookie <= COOKIE_PARENT ? 0 : cookie;
    }

    public long inode() {
        return inode;
    }

    /**
     * What the program is told of a page.
     *
     * @param after the cookie behind which the page begins; with 0 the listing begins anew
     */
    public Listing told(long after, Listing page) {
        if (after == 0 || end == UNKNOWN) {
            end = page.nextCookie();
        }
        long bound = end;
        boolean isWithin = bound == UNKNOWN
                || page.entries().isEmpty()
                || page.entries().getLast().cookie() < bound;
        return isWithin ? page : cut(page, bound);
    }

    private static Listing cut(Listing page, long bound) {
        List<Entry> within =
                page.entries().stream().filter(entry -> entry.cookie() < bound).toList();
        return new Listing(within, true, page.parent(), page.nextCookie());
    }
}
