package org.beefs.common.posix;

import com.google.protobuf.ByteString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Names of the extended attributes that an inode may have, as xattr(7) says, access control lists apart. */
public final class XattrNames {
    public static final ByteString USER = ByteString.copyFromUtf8("user.");
    public static final ByteString TRUSTED = ByteString.copyFromUtf8("trusted.");
    public static final ByteString SECURITY = ByteString.copyFromUtf8("security.");

    private static final List<ByteString> NAMESPACES = List.of(USER, TRUSTED, SECURITY);

    /** Bytes of the longest name. */
    public static final int LONGEST = 255;

    private XattrNames() {}

    /** The namespace that the name begins with, as one of the above; null when it is in none. */
    public static @Nullable ByteString namespaceOf(ByteString name) {
        for (ByteString namespace : NAMESPACES) {
            if (name.startsWith(namespace)) {
                return namespace;
            }
        }
        return null;
    }

    /** Whether an inode may have an attribute of that name. */
    public static boolean mayBe(ByteString name) {
        ByteString namespace = namespaceOf(name);
        return namespace != null && name.size() > namespace.size() && name.size() <= LONGEST;
    }
}
