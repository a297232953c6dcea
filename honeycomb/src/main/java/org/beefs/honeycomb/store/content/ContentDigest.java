package org.beefs.honeycomb.store.content;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.honeycomb.disk.ReplicaFile;

/**
 * The checksum of a file's whole content: SHA-256 of its size and of each block that is not all zero, with the block's
 * place. So holes are not read, and count as the zeros that they are. Read in parts; for one thread.
 */
public final class ContentDigest {
    private static final int BLOCK = Checksums.BLOCK;

    private final ReplicaFile file;
    private final ByteBufAllocator buffers;
    private final MessageDigest digest = Checksums.sha256();
    private long position;
    private long bytes;

    public ContentDigest(ReplicaFile file, ByteBufAllocator buffers) {
        this.file = file;
        this.buffers = buffers;
    }

    /** The checksum of a file that nobody changes meanwhile. */
    public static ByteString of(ReplicaFile file, ByteBufAllocator buffers) {
        ContentDigest digest = new ContentDigest(file, buffers);
        while (!digest.read(Long.MAX_VALUE)) {
            // the end was not reached
        }
        return digest.finish();
    }

    /** Reads on, about so much; whether all was read now. */
    public boolean read(long most) {
        long begin = bytes;
        while (bytes - begin < most) {
            long data = nextData();
            if (data < 0 || !readBlock(Math.max(position, data / BLOCK * BLOCK))) {
                return true;
            }
        }
        return false;
    }

    private boolean readBlock(long offset) {
        ByteBuf content = Content.read(file, offset, BLOCK, buffers);
        try {
            int length = content.readableBytes();
            if (length > 0 && !Content.isZero(content)) {
                digest.update(ByteBuffer.allocate(Long.BYTES).putLong(0, offset));
                digest.update(content.nioBuffer());
            }
            position = offset + length;
            bytes += length;
            return length == BLOCK;
        } finally {
            content.release();
        }
    }

    /** The offset of the next content that is no hole; below 0 when there is none. */
    private long nextData() {
        try {
            return file.seek(position, false);
        } catch (PosixException e) {
            if (e.errno() == Errno.ENXIO) {
                return -1;
            }
            throw e;
        }
    }

    /** Bytes that were read so far. */
    public long bytes() {
        return bytes;
    }

    public ByteString finish() {
        long size = file.status().size();
        digest.update(ByteBuffer.allocate(Long.BYTES).putLong(0, size));
        return ByteString.copyFrom(digest.digest());
    }
}
