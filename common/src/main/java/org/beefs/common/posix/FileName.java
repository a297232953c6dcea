package org.beefs.common.posix;

import com.google.protobuf.ByteString;

/** Names of directories' entries. */
public final class FileName {
    /** Bytes of the longest name. */
    public static final int LONGEST = 255;

    /** The directory itself. */
    public static final ByteString DOT = ByteString.copyFromUtf8(".");

    /** The directory above it. */
    public static final ByteString DOT_DOT = ByteString.copyFromUtf8("..");

    private FileName() {}

    /** Fails with ENAMETOOLONG, ENOENT or EINVAL for what can be no name at all. */
    public static void check(ByteString name) {
        if (name.size() > LONGEST) {
            throw new PosixException(Errno.ENAMETOOLONG, "a name has at most " + LONGEST + " bytes");
        }
        if (name.isEmpty()) {
            throw new PosixException(Errno.ENOENT, "a name has at least one byte");
        }
        for (int i = 0; i < name.size(); i++) {
            if (name.byteAt(i) == 0 || name.byteAt(i) == '/') {
                throw new PosixException(Errno.EINVAL, "a name has neither a slash nor a NUL");
            }
        }
    }

    /** Whether it stands for the directory itself or the one above it. */
    public static boolean isDots(ByteString name) {
        return name.equals(DOT) || name.equals(DOT_DOT);
    }
}
