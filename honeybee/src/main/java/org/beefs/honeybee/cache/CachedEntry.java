package org.beefs.honeybee.cache;

import com.google.protobuf.ByteString;

/**
 * What is known of a name in a directory.
 *
 * @param inode what it names; 0 says that there is no such entry
 * @param type file type bits of st_mode
 * @param cookie its position in listings; 0 while that is not known
 */
record CachedEntry(ByteString name, long inode, int type, long cookie) {
    static CachedEntry absent(ByteString name) {
        return new CachedEntry(name, 0, 0, 0);
    }

    /** This entry under another name. */
    CachedEntry named(ByteString other) {
        return new CachedEntry(other, inode, type, cookie);
    }

    /** This entry at another place in listings; 0 when the place is not known. */
    CachedEntry at(long other) {
        return new CachedEntry(name, inode, type, other);
    }

    boolean isAbsent() {
        return inode == 0;
    }
}
