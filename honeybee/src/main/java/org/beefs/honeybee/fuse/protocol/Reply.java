package org.beefs.honeybee.fuse.protocol;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.FileSystemSpace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the answer to one request, in one call. Not thread-safe. Every method that sends says whether the kernel took
 * the answer: it does not when the request was given up meanwhile.
 */
public final class Reply {
    private static final Logger LOG = LoggerFactory.getLogger(Reply.class);

    private static final int HEADER = 16;
    private static final int MAX_VECTORS = 64;
    private static final int VECTOR = 16;

    /**
     * How many stacked file systems may be below: backing files are on file systems that are not stacked themselves.
     */
    private static final int BACKING_STACK = 1;

    private final MemorySegment message;
    private final MemorySegment vectors;
    private final Origin origin;
    private final long unique;

    /** An answer to the request of that number that came from there. */
    public Reply(Scratch scratch, Origin origin, long unique) {
        this.message = scratch.message;
        this.vectors = scratch.vectors;
        this.origin = origin;
        this.unique = unique;
    }

    /** Memory to put answers together in: of one thread, for one answer after the other. */
    public static final class Scratch {
        /** Header and all structs of fixed size. */
        private final MemorySegment message = Arena.ofAuto().allocate(512, 8);

        private final MemorySegment vectors = Arena.ofAuto().allocate(MAX_VECTORS * (long) VECTOR, 8);
    }

    public boolean empty() {
        return send(0);
    }

    public boolean error(Errno errno) {
        return error(errno.number());
    }

    /** Lifetimes here and below in nanoseconds. */
    public boolean entry(Attributes attributes, long entryLifetime, long attributesLifetime) {
        Structs.entry(message, HEADER, attributes, entryLifetime, attributesLifetime);
        return send(Structs.ENTRY);
    }

    /** Says that there is no such entry, which the kernel may remember. */
    public boolean absent(long lifetime) {
        Structs.absent(message, HEADER, lifetime);
        return send(Structs.ENTRY);
    }

    public boolean attributes(Attributes attributes, long lifetime) {
        Structs.getattr(message, HEADER, attributes, lifetime);
        return send(Structs.ATTRIBUTES);
    }

    public boolean statx(Attributes attributes, long lifetime) {
        Structs.statx(message, HEADER, attributes, lifetime);
        return send(Structs.STATX);
    }

    public boolean space(FileSystemSpace space) {
        Structs.space(message, HEADER, space);
        return send(Structs.SPACE);
    }

    public boolean opened(long handle, int flags) {
        return opened(handle, flags, 0);
    }

    /** Answers the open of a file that has a backing id. */
    public boolean opened(long handle, int flags, int backing) {
        Structs.open(message, HEADER, handle, flags, backing);
        return send(Structs.OPEN);
    }

    public boolean created(
            Attributes attributes, long entryLifetime, long attributesLifetime, long handle, int flags, int backing) {
        Structs.entry(message, HEADER, attributes, entryLifetime, attributesLifetime);
        Structs.open(message, HEADER + Structs.ENTRY, handle, flags, backing);
        return send(Structs.ENTRY + Structs.OPEN);
    }

    /** {@code struct fuse_write_out} and {@code struct fuse_getxattr_out} alike. */
    public boolean count(int bytes) {
        message.set(JAVA_INT_UNALIGNED, HEADER, bytes);
        message.set(JAVA_INT_UNALIGNED, HEADER + 4, 0);
        return send(8);
    }

    public boolean offset(long offset) {
        message.set(JAVA_LONG_UNALIGNED, HEADER, offset);
        return send(8);
    }

    /**
     * {@code struct fuse_init_out}; max_background as given, congestion_threshold three quarters of it, times to the
     * nanosecond.
     */
    public boolean init(int minor, int maxReadahead, long flags, int maxBackground) {
        message.asSlice(HEADER, 64).fill((byte) 0);
        message.set(JAVA_INT_UNALIGNED, HEADER, Protocol.MAJOR);
        message.set(JAVA_INT_UNALIGNED, HEADER + 4, minor);
        message.set(JAVA_INT_UNALIGNED, HEADER + 8, maxReadahead);
        message.set(JAVA_INT_UNALIGNED, HEADER + 12, (int) flags);
        message.set(JAVA_INT_UNALIGNED, HEADER + 16, (maxBackground * 3 / 4) << 16 | maxBackground);
        message.set(JAVA_INT_UNALIGNED, HEADER + 20, Protocol.MAX_WRITE);
        message.set(JAVA_INT_UNALIGNED, HEADER + 24, 1);
        message.set(JAVA_INT_UNALIGNED, HEADER + 28, Protocol.MAX_PAGES);
        message.set(JAVA_INT_UNALIGNED, HEADER + 32, (int) (flags >>> 32));
        message.set(JAVA_INT_UNALIGNED, HEADER + 36, (flags & Protocol.INIT_PASSTHROUGH) == 0 ? 0 : BACKING_STACK);
        return send(64);
    }

    /** A lock that is in the way; of type F_UNLCK when there is none. */
    public boolean lock(long start, long end, int type, int pid) {
        Structs.lock(message, HEADER, start, end, type, pid);
        return send(Structs.LOCK);
    }

    public boolean bytes(ByteString content) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(Math.max(1, content.size()));
            content.copyTo(copy.asByteBuffer());
            return memory(copy, content.size());
        }
    }

    /** Sends memory outside the heap. */
    public boolean memory(MemorySegment content, long length) {
        vector(1, content.address(), length);
        return sendVectors(2, length);
    }

    /** Sends a buffer's readable bytes, without copying unless they are on the heap or in very many pieces. */
    public boolean buffer(ByteBuf content) {
        int length = content.readableBytes();
        ByteBuffer[] pieces = content.nioBuffers();
        if (pieces.length >= MAX_VECTORS || !areDirect(pieces)) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment copy = arena.allocate(Math.max(1, length));
                content.getBytes(content.readerIndex(), copy.asByteBuffer());
                return memory(copy, length);
            }
        }
        for (int i = 0; i < pieces.length; i++) {
            vector(i + 1, MemorySegment.ofBuffer(pieces[i]).address(), pieces[i].remaining());
        }
        return sendVectors(pieces.length + 1, length);
    }

    private static boolean areDirect(ByteBuffer[] pieces) {
        for (ByteBuffer piece : pieces) {
            if (!piece.isDirect()) {
                return false;
            }
        }
        return true;
    }

    private boolean error(int number) {
        header(0, number);
        return taken(origin.write(message, HEADER));
    }

    private boolean send(int bodyLength) {
        header(bodyLength, 0);
        return taken(origin.write(message, HEADER + bodyLength));
    }

    private boolean sendVectors(int count, long bodyLength) {
        header(bodyLength, 0);
        vector(0, message.address(), HEADER);
        return taken(origin.writeVectors(vectors, count));
    }

    private void header(long bodyLength, int errno) {
        message.set(JAVA_INT_UNALIGNED, 0, (int) (HEADER + bodyLength));
        message.set(JAVA_INT_UNALIGNED, 4, -errno);
        message.set(JAVA_LONG_UNALIGNED, 8, unique);
    }

    private void vector(int index, long address, long length) {
        vectors.set(ADDRESS, (long) index * VECTOR, MemorySegment.ofAddress(address));
        vectors.set(JAVA_LONG_UNALIGNED, (long) index * VECTOR + 8, length);
    }

    /**
     * ENOENT: the kernel gave the request up. ENODEV, EPERM: the mount is gone. Everything else means that the kernel
     * refused what was written, and the caller would wait for ever: it gets an error instead.
     */
    private boolean taken(long result) {
        if (result >= 0) {
            return true;
        }
        int errno = (int) -result;
        if (errno != Errno.ENOENT.number() && errno != Errno.ENODEV.number() && errno != Errno.EPERM.number()) {
            LOG.error("the kernel refused an answer of this driver with errno {}", errno);
            header(0, Errno.EIO.number());
            origin.write(message, HEADER);
        }
        return false;
    }
}
