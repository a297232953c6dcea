package org.beefs.common.posix;

/** What stat(2) says of sizes. */
public final class Stat {
    /** The unit, in bytes, in which stat(2) counts what a file takes. */
    public static final int BLOCK = 512;

    /** The size that every directory shows, in bytes. */
    public static final int DIRECTORY_SIZE = 4096;

    private Stat() {}
}
