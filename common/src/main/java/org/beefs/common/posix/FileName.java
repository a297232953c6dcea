package org.beefs.common.posix;

/** Names of directories' entries. */
public final class FileName {
    /** Bytes of the longest name. */
    public static final int LONGEST = 255;

    private FileName() {}
}
