package org.beefs.queenbee.operations;

import com.google.protobuf.ByteString;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileName;
import org.beefs.common.posix.PosixException;

/** What may be the name of an entry. */
public final class Names {
    public static final ByteString DOT = ByteString.copyFromUtf8(".");
    public static final ByteString DOT_DOT = ByteString.copyFromUtf8("..");

    private Names() {}

    /** Fails with ENAMETOOLONG or EINVAL for what can be no name at all. */
    static void check(ByteString name) {
        if (name.size() > FileName.LONGEST) {
            throw new PosixException(Errno.ENAMETOOLONG, "a name has at most " + FileName.LONGEST + " bytes");
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
