package org.beefs.honeybee.fuse.protocol;

import org.beefs.honeybee.filesystem.FileSystem;

/** The kernel's node that is the hive's root; the node of any other inode has the inode's number. */
public enum HiveRoot {
    /** The root of the kernel's file system. */
    ITSELF(HiveRoot.OUTER),

    /** The only entry of that root, by whatever name. Its number is one that no inode has. */
    ENTRY(Long.MIN_VALUE | FileSystem.ROOT);

    /** FUSE_ROOT_ID. */
    private static final long OUTER = 1;

    private final long node;

    HiveRoot(long node) {
        this.node = node;
    }

    /** The inode that the kernel means by a node. */
    public static long inode(long node) {
        return node == ENTRY.node ? FileSystem.ROOT : node;
    }

    /** The node by which the kernel knows an inode. */
    public long node(long inode) {
        return inode == FileSystem.ROOT ? node : inode;
    }

    /** Whether a node is the directory in which the hive's root is an entry. */
    public boolean isBelow(long node) {
        return this == ENTRY && node == OUTER;
    }
}
