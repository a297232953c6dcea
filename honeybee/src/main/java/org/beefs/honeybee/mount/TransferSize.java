package org.beefs.honeybee.mount;

import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.Attributes;

/** Bytes that programs are advised to read and write at once (st_blksize). */
public final class TransferSize {
    /**
     * Content is not cached, so each of a program's reads is a round trip; 128 KiB is what cp takes anyway, and what
     * stdio can afford as a buffer.
     */
    private static final int CONTENT = 128 << 10;

    private static final int OTHER = 4096;

    private TransferSize() {}

    /** That of the inode with these attributes. */
    public static int of(Attributes attributes) {
        return FileMode.isRegular(attributes.getMode()) ? CONTENT : OTHER;
    }
}
