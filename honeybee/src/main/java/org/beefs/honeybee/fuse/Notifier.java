package org.beefs.honeybee.fuse;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.beefs.honeybee.cache.KernelCache;

/**
 * Tells the kernel what it must not use any more. Both messages take effect while they are written and wait for nobody: the
 * epoch is a counter, and attributes are marked under a lock of the inode that is never held while the kernel waits for this
 * process. A message about a single entry would wait for its directory's lock, so there is none. Thread-safe.
 */
final class Notifier implements KernelCache {
    private static final int HEADER = 16;
    private static final int INVAL_INODE = HEADER + 24;

    private final Device device;
    private final boolean hasEpochs;

    // Guarded by this.
    private final MemorySegment message = Arena.ofAuto().allocate(INVAL_INODE, 8);
    private boolean closed;

    /** Becomes a holder of the device. */
    Notifier(Device device, int minor) {
        this.device = device;
        this.hasEpochs = minor >= Protocol.EPOCHS_SINCE_MINOR;
        device.hold();
    }

    @Override
    public boolean canForgetEntries() {
        return hasEpochs;
    }

    @Override
    public synchronized void invalidateEntries() {
        if (hasEpochs) {
            send(Protocol.NOTIFY_INC_EPOCH, HEADER);
        }
    }

    /** {@code struct fuse_notify_inval_inode_out}; a negative offset leaves pages alone. */
    @Override
    public synchronized boolean invalidateAttributes(long inode) {
        message.set(JAVA_LONG_UNALIGNED, HEADER, inode);
        message.set(JAVA_LONG_UNALIGNED, HEADER + 8, -1);
        message.set(JAVA_LONG_UNALIGNED, HEADER + 16, 0);
        return send(Protocol.NOTIFY_INVAL_INODE, INVAL_INODE);
    }

    /** No message is sent any more. */
    synchronized void close() {
        if (!closed) {
            closed = true;
            device.release();
        }
    }

    /** A message is an answer to request 0. False for an inode that the kernel does not know, and when the mount is gone. */
    private boolean send(int code, int length) {
        message.set(JAVA_INT_UNALIGNED, 0, length);
        message.set(JAVA_INT_UNALIGNED, 4, code);
        message.set(JAVA_LONG_UNALIGNED, 8, 0);
        return !closed && device.write(message, length) >= 0;
    }
}
