package org.beefs.common.posix;

/** What stat(2) says of sizes. */
public final class Stat {
    /** What a file takes is counted in units of so many bytes. */
    public static final int BLOCK = 512;

    /** What every directory shows. Bytes. */
    public static final int DIRECTORY_SIZE = 4096;

    private Stat() {}
}
