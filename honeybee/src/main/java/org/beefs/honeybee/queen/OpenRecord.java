package org.beefs.honeybee.queen;

import org.beefs.common.wire.OpenFile;

/** A file that this desktop has open, as the queen-bee must know it. Thread-safe. */
public final class OpenRecord {
    private final long inode;
    private final long handle;
    private final boolean write;
    private volatile boolean lost;

    OpenRecord(long inode, long handle, boolean write) {
        this.inode = inode;
        this.handle = handle;
        this.write = write;
    }

    public long inode() {
        return inode;
    }

    public long handle() {
        return handle;
    }

    public boolean write() {
        return write;
    }

    /** Whether the file went away while the session was lost: whatever is done through the handle fails with ESTALE. */
    public boolean lost() {
        return lost;
    }

    void lose() {
        lost = true;
    }

    OpenFile toWire() {
        return OpenFile.newBuilder()
                .setInode(inode)
                .setHandle(handle)
                .setWrite(write)
                .build();
    }
}
