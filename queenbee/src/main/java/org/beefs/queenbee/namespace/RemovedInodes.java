package org.beefs.queenbee.namespace;

import com.google.protobuf.ByteString;
import java.util.SequencedMap;
import org.beefs.common.collection.EldestFirst;
import org.beefs.common.posix.AccessControlList;
import org.jspecify.annotations.Nullable;

/**
 * The last few directories and special files that were removed, so that a process which still works in one or has one
 * open is answered as by a local file system, not with ESTALE. In memory only. Of their extended attributes only the
 * access control list stays, which says who may do what: all others may take 1 MiB of each.
 */
final class RemovedInodes {
    private static final int MAX = 1024;

    private final SequencedMap<Long, Inode> inodes = EldestFirst.map(MAX);

    @Nullable
    Inode find(long number) {
        return inodes.get(number);
    }

    void remember(Inode inode) {
        keepAccessList(inode);
        inodes.put(inode.number, inode);
    }

    private static void keepAccessList(Inode inode) {
        ByteString list = inode.xattr(AccessControlList.ACCESS);
        inode.xattrs = null;
        if (list != null) {
            Xattrs kept = new Xattrs();
            kept.put(AccessControlList.ACCESS, list);
            inode.xattrs = kept;
        }
    }
}
