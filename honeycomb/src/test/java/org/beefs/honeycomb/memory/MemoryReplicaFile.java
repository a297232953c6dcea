package org.beefs.honeycomb.memory;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.function.Supplier;
import org.beefs.common.wire.SetTimes;
import org.beefs.honeycomb.disk.FileStatus;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.memory.MemoryDisk.Operation;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.jspecify.annotations.Nullable;

/** An open file of a {@link MemoryDisk}. */
final class MemoryReplicaFile implements ReplicaFile {
    private static final int KEEP_SIZE = 0x01;
    private static final int PUNCH_HOLE = 0x02;
    private static final int ZERO_RANGE = 0x10;

    private final MemoryDisk disk;
    private final MemoryNode node;
    private final int process;

    MemoryReplicaFile(MemoryDisk disk, MemoryNode node, int process) {
        this.disk = disk;
        this.node = node;
        this.process = process;
    }

    @Override
    public int read(ByteBuffer into, long position) {
        return on(Operation.READ, () -> node.content().read(into, position));
    }

    @Override
    public int readAtHand(ByteBuffer into, long position) {
        return on(Operation.READ, () -> disk.isAtHand() ? node.content().read(into, position) : NOT_AT_HAND);
    }

    @Override
    public int write(ByteBuffer from, long position) {
        return on(Operation.WRITE, () -> {
            node.checkMutable();
            long growth = node.content().growth(position, from.remaining());
            if (disk.hidesFullness(growth)) {
                return skipped(from);
            }
            disk.take(growth);
            node.changed(disk.now());
            return node.content().write(from, position);
        });
    }

    private static int skipped(ByteBuffer from) {
        int bytes = from.remaining();
        from.position(from.limit());
        return bytes;
    }

    @Override
    public int append(ByteBuffer from) {
        synchronized (disk) {
            return write(from, node.content().size());
        }
    }

    @Override
    public long copy(ReplicaFile source, long from, long to, long length) {
        synchronized (disk) {
            ByteBuffer content = ByteBuffer.allocateDirect((int) length);
            source.read(content, from);
            content.flip();
            return write(content, to);
        }
    }

    @Override
    public void truncate(long size) {
        on(Operation.TRUNCATE, () -> {
            node.checkMutable();
            node.remember();
            node.content().truncate(size);
            node.changed(disk.now());
            return size;
        });
    }

    @Override
    public void allocate(int mode, long offset, long length) {
        on(Operation.ALLOCATE, () -> {
            node.checkMutable();
            node.remember();
            MemoryContent content = node.content();
            if ((mode & PUNCH_HOLE) != 0) {
                content.punch(offset, length);
            } else {
                disk.take(content.growth(offset, length));
                content.allocate(offset, length);
            }
            if ((mode & ZERO_RANGE) != 0) {
                content.zero(offset, length);
            }
            if ((mode & KEEP_SIZE) == 0) {
                content.extend(offset + length);
            }
            node.changed(disk.now());
            return content;
        });
    }

    @Override
    public void sync(boolean dataOnly) {
        synchronized (disk) {
            if (!disk.hides(Operation.SYNC)) {
                disk.check(process, Operation.SYNC);
                disk.sync(node);
            }
        }
    }

    /** Each write is one step. */
    @Override
    public void finishWrites() {}

    @Override
    public FileStatus status() {
        return on(
                Operation.STATUS,
                () -> new FileStatus(
                        node.content().size(),
                        node.content().allocated() / 512,
                        node.atime(),
                        node.mtime(),
                        node.ctime()));
    }

    @Override
    public void setTimes(SetTimes times) {
        on(Operation.STATUS, () -> {
            node.checkMutable();
            node.setTimes(
                    times.hasAtime() ? times.getAtime() : null, times.hasMtime() ? times.getMtime() : null, disk.now());
            return node;
        });
    }

    @Override
    public long seek(long offset, boolean hole) {
        return on(Operation.READ, () -> node.content().seek(offset, hole));
    }

    @Override
    public @Nullable ReplicaDescription description() {
        synchronized (disk) {
            disk.check(process, Operation.READ);
            return node.description();
        }
    }

    @Override
    public void describe(ReplicaDescription description) {
        on(Operation.DESCRIBE, () -> {
            node.checkMutable();
            node.describe(description, disk.now());
            return node;
        });
    }

    /** These disks fail at the change itself. */
    @Override
    public void checkWritable() {}

    /** No descriptor of this process's, but what {@link MemoryDisk#openOutside} knows the file by. */
    @Override
    public int descriptor() {
        return on(Operation.STATUS, () -> disk.descriptor(node));
    }

    @Override
    public boolean isOpenForWriting() {
        return on(Operation.STATUS, () -> disk.showsWriter(node));
    }

    @Override
    public boolean isImmutable() {
        return on(Operation.STATUS, node::isImmutable);
    }

    /** When content cannot be brought to disk it is immutable nevertheless. */
    @Override
    public void setImmutable(boolean immutable) {
        on(Operation.FLAG, () -> {
            disk.setImmutable(node, immutable);
            if (immutable) {
                disk.check(process, Operation.SYNC);
            }
            return node;
        });
    }

    @Override
    public @Nullable FileChannel channel() {
        return null;
    }

    @Override
    public void close() {}

    private <T> T on(Operation operation, Supplier<T> work) {
        synchronized (disk) {
            disk.check(process, operation);
            return work.get();
        }
    }
}
