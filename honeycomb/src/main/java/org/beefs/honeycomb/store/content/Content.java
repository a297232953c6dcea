package org.beefs.honeycomb.store.content;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.jspecify.annotations.Nullable;

/** Moves content between replica files and Netty's buffers. */
public final class Content {
    /** From this size on sending a part of the file costs less than copying it. Bytes. */
    public static final int SLICE_MINIMUM = 64 << 10;

    private Content() {}

    /** At most {@code length} bytes from there, fewer only at the end of the file, in a buffer that the caller owns. */
    public static ByteBuf read(ReplicaFile file, long offset, int length, ByteBufAllocator buffers) {
        ByteBuf content = buffers.directBuffer(length, length);
        boolean filled = false;
        try {
            ByteBuffer room = content.internalNioBuffer(0, length);
            int read = 0;
            int more;
            do {
                more = room.hasRemaining() ? file.read(room, offset + read) : 0;
                read += more;
            } while (more > 0);
            content.writerIndex(read);
            filled = true;
            return content;
        } finally {
            if (!filled) {
                content.release();
            }
        }
    }

    /** As {@link #read}, if all of that is in memory; null otherwise. Does not wait. */
    public static @Nullable ByteBuf readAtHand(ReplicaFile file, long offset, int length, ByteBufAllocator buffers) {
        ByteBuf content = buffers.directBuffer(length, length);
        int read = 0;
        boolean all = false;
        try {
            ByteBuffer room = content.internalNioBuffer(0, length);
            int more;
            do {
                more = room.hasRemaining() ? file.readAtHand(room, offset + read) : 0;
                read += more;
            } while (more > 0);
            all = more == 0;
            return all ? content.writerIndex(read) : null;
        } finally {
            if (!all) {
                content.release();
            }
        }
    }

    /** Whether all of that is in memory. Does not wait. */
    public static boolean isAtHand(ReplicaFile file, long offset, int length, ByteBufAllocator buffers) {
        int most = Math.min(length, SLICE_MINIMUM);
        ByteBuf unused = buffers.directBuffer(most, most);
        try {
            int seen = 0;
            int more;
            do {
                ByteBuffer room = unused.internalNioBuffer(0, Math.min(length - seen, most));
                more = file.readAtHand(room, offset + seen);
                seen += more;
            } while (more > 0 && seen < length);
            return seen == length;
        } finally {
            unused.release();
        }
    }

    static boolean isZero(ByteBuf content) {
        return content.forEachByte(value -> value == 0) < 0;
    }

    /** Writes all of a buffer, and leaves its indices as they are. */
    public static void write(ReplicaFile file, ByteBuf content, long offset) {
        if (!content.isDirect()) {
            copied(content, copy -> writeFully(file, copy, offset));
            return;
        }
        long position = offset;
        for (ByteBuffer part : content.nioBuffers(content.readerIndex(), content.readableBytes())) {
            position = writeFully(file, part, position);
        }
    }

    /**
     * Appends all of a buffer, in one piece unless the disk takes it in several; leaves its indices as they are. Fails
     * with EIO when the disk took only a part: whoever appended again would append that twice.
     */
    public static void append(ReplicaFile file, ByteBuf content) {
        if (!content.isDirect() || content.nioBufferCount() != 1) {
            copied(content, copy -> appendFully(file, copy));
        } else {
            appendFully(file, content.nioBuffer());
        }
    }

    private static void copied(ByteBuf content, Consumer<ByteBuffer> use) {
        ByteBuf copy = content.alloc().directBuffer(content.readableBytes());
        try {
            copy.writeBytes(content, content.readerIndex(), content.readableBytes());
            use.accept(copy.internalNioBuffer(0, copy.readableBytes()));
        } finally {
            copy.release();
        }
    }

    private static long writeFully(ReplicaFile file, ByteBuffer part, long offset) {
        long position = offset;
        while (part.hasRemaining()) {
            position += progress(file.write(part, position));
        }
        return position;
    }

    private static void appendFully(ReplicaFile file, ByteBuffer part) {
        progress(file.append(part));
        while (part.hasRemaining()) {
            try {
                progress(file.append(part));
            } catch (PosixException e) {
                throw new PosixException(Errno.EIO, "only a part could be appended: " + e.getMessage());
            }
        }
    }

    private static int progress(int written) {
        if (written == 0) {
            throw new PosixException(Errno.EIO, "the disk wrote nothing and gave no reason");
        }
        return written;
    }
}
