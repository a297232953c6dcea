package org.beefs.honeybee.trace;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** How a trace learns which inodes the names in its path are. Thread-safe; does not wait. */
public interface Names {
    /** The inode that a name in a directory has; fails when there is none, or nobody answers. */
    CompletableFuture<Long> inode(long directory, ByteString name);

    /** What this desktop knows of a directory: names with their inodes. */
    List<Map.Entry<ByteString, Long>> known(long directory);
}
