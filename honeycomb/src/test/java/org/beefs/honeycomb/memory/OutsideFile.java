package org.beefs.honeycomb.memory;

import java.nio.ByteBuffer;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;

/**
 * A replica's file as a program uses it past every honeycomb: through a descriptor that its kernel opened, or a
 * mapping. Outlives the processes of honeycombs, and the file's name; ends with the power. Thread-safe.
 */
public final class OutsideFile implements AutoCloseable {
    private final MemoryDisk disk;
    private final MemoryNode node;
    private final boolean write;
    private boolean open = true;

    /** The disk's monitor is held. */
    OutsideFile(MemoryDisk disk, MemoryNode node, boolean write) {
        this.disk = disk;
        this.node = node;
        this.write = write;
        node.addOutsideWriters(write ? 1 : 0);
    }

    /**
     * Whether the file was taken from its name, so that it is what the replica was then; also when it has been removed
     * since.
     */
    public boolean isFenced() {
        synchronized (disk) {
            return node.isTaken();
        }
    }

    /** As pread(2). */
    public byte[] read(long offset, int length) {
        synchronized (disk) {
            checkOpen();
            ByteBuffer into = ByteBuffer.allocate(length);
            node.content().read(into, offset);
            byte[] read = new byte[into.position()];
            into.flip().get(read);
            return read;
        }
    }

    /** As pwrite(2) or, with {@code append}, as write(2) under O_APPEND. */
    public void write(long offset, boolean append, byte[] bytes) {
        synchronized (disk) {
            checkWritable();
            long at = append ? node.content().size() : offset;
            disk.take(node.content().growth(at, bytes.length));
            node.content().write(ByteBuffer.wrap(bytes), at);
            disk.changedOutside(node);
        }
    }

    /**
     * Stores into mapped pages: only what lies inside of the file, and mtime changes only with the first store after
     * the pages were brought to disk.
     */
    public void store(long offset, byte[] bytes) {
        synchronized (disk) {
            checkWritable();
            int inside = Math.clamp(node.content().size() - offset, 0, bytes.length);
            if (inside > 0) {
                disk.take(node.content().growth(offset, inside));
                node.content().write(ByteBuffer.wrap(bytes, 0, inside), offset);
                node.stored(disk.now());
            }
        }
    }

    /** The kernel has begun to bring stored pages to disk, as it does by itself every few seconds. */
    public void writeBack() {
        synchronized (disk) {
            node.writeBack();
        }
    }

    @Override
    public void close() {
        synchronized (disk) {
            if (open) {
                open = false;
                node.addOutsideWriters(write ? -1 : 0);
            }
        }
    }

    private void checkWritable() {
        checkOpen();
        if (!write) {
            throw new PosixException(Errno.EBADF, "not open for writing");
        }
        node.checkMutable();
    }

    private void checkOpen() {
        if (!open) {
            throw new PosixException(Errno.EBADF, "closed");
        }
    }
}
