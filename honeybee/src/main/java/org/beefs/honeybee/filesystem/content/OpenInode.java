package org.beefs.honeybee.filesystem.content;

import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.Node;
import org.jspecify.annotations.Nullable;

/** What this mount knows of an inode while it has it open. Thread-safe. */
public final class OpenInode {
    private static final int NONE = -1;

    private final long number;
    private final UnsyncedChanges unsynced = new UnsyncedChanges();

    /** Written under the lock. */
    private volatile int mode;

    private volatile boolean fileCapabilities;
    private volatile boolean writableInPassthrough;

    /** Descriptor of the replica's file that the kernel may read by itself: open as long as the inode is. */
    private volatile int offeredFile = NONE;

    private volatile @Nullable OpenHandle writer;

    OpenInode(long number, int mode) {
        this.number = number;
        this.mode = mode;
    }

    long number() {
        return number;
    }

    /** What was written through this mount, and may be on no disk. */
    UnsyncedChanges unsynced() {
        return unsynced;
    }

    /** The inode was opened to be written through this handle. */
    void observeWriter(OpenHandle handle) {
        writer = handle;
    }

    /** The last handle that was opened to write it, which may be released by now; null when there was none. */
    @Nullable
    OpenHandle writer() {
        return writer;
    }

    /**
     * The kernel is offered to read it by itself ("passthrough"), from the file with this descriptor, as long as it is
     * open. It may refuse that.
     */
    void offerForPassthrough(int descriptor) {
        offeredFile = descriptor;
    }

    /** Whether the kernel reads it by itself, unless it has refused. */
    public boolean isOfferedForPassthrough() {
        return offeredFile != NONE;
    }

    /** Whether it is the file with this descriptor that the kernel was offered. */
    boolean isOfferedForPassthrough(int descriptor) {
        return offeredFile == descriptor;
    }

    /** The kernel is offered to write it by itself, as long as it is open. */
    void offerForPassthroughWriting() {
        writableInPassthrough = true;
    }

    /** Whether the kernel may be writing it by itself. */
    public boolean mayBeWrittenInPassthrough() {
        return writableInPassthrough;
    }

    /** Whether the kernel may have content of it that it has not brought here. */
    boolean mayHaveUnwrittenPages() {
        return unsynced.hasWriters() && !writableInPassthrough;
    }

    /**
     * Notes what the inode was like when it was opened. The answer to an open may come late: what is known of
     * privileges stays until somebody says that they are gone.
     */
    void observeOpened(Node node) {
        synchronized (this) {
            mode |= node.getAttributes().getMode();
        }
        if (node.getFileCapabilities()) {
            observeFileCapabilities();
        }
    }

    /** Notes what the queen-bee said of the inode. */
    void observe(Node node) {
        observeMode(node.getAttributes().getMode());
        if (node.getFileCapabilities()) {
            observeFileCapabilities();
        }
    }

    /** Notes the mode that the queen-bee said. */
    synchronized void observeMode(int present) {
        mode = present;
    }

    /** The inode has file capabilities, or may have. Without this call it has none. */
    public synchronized void observeFileCapabilities() {
        fileCapabilities = true;
    }

    /** The file capabilities are about to be taken away. Answers whether there may have been any. */
    synchronized boolean forgetFileCapabilities() {
        boolean had = fileCapabilities;
        fileCapabilities = false;
        return had;
    }

    /** Whether it had file capabilities when it was opened, or may have got some through this mount. */
    public boolean mayHaveFileCapabilities() {
        return fileCapabilities;
    }

    /**
     * Whether running it may give somebody rights that he does not have, which a write by somebody without privilege
     * takes away. As far as this mount knows.
     */
    public boolean givesPrivileges() {
        int present = mode;
        return fileCapabilities || FileMode.withoutSetIds(present) != present;
    }
}
