package org.beefs.honeybee.jnr;

import com.google.protobuf.ByteString;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Open files whose name is gone, by the names that libfuse gives them. The hive knows nothing of these names: nobody
 * sees them. Of each mount there are at most as many as it has open files. Thread-safe.
 */
final class HiddenFiles {
    private static final ByteString PREFIX = ByteString.copyFromUtf8(".fuse_hidden");

    private final ConcurrentHashMap<ByteString, Long> inodes = new ConcurrentHashMap<>();

    void hide(ByteString name, long inode) {
        inodes.put(name, inode);
    }

    /** The inode that has such a name. */
    @Nullable
    Long find(ByteString name) {
        return name.startsWith(PREFIX) ? inodes.get(name) : null;
    }

    /** The file is not open any more. Answers false for names that are not hidden ones. */
    boolean forget(ByteString name) {
        return inodes.remove(name) != null;
    }
}
