package org.beefs.queenbee.namespace;

import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * The last few directories and special files that were removed, so that a process which still works in one or has one
 * open is answered as by a local file system, not with ESTALE. In memory only.
 */
final class RemovedInodes {
    private static final int MAX = 1024;

    private final SequencedMap<Long, Inode> inodes = new LinkedHashMap<>();

    @Nullable
    Inode find(long number) {
        return inodes.get(number);
    }

    void remember(Inode inode) {
        if (inodes.size() == MAX) {
            inodes.pollFirstEntry();
        }
        inodes.put(inode.number, inode);
    }
}
