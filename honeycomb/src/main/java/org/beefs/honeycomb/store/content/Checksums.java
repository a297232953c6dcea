package org.beefs.honeycomb.store.content;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.zip.CRC32C;
import org.beefs.honeycomb.disk.ReplicaFile;

/** Checksums by which two honeycombs find out where their replicas differ, and that content came as it was sent. */
public final class Checksums {
    /** Bytes that have a checksum of their own. */
    public static final int BLOCK = 128 << 10;

    /** Bytes of a block's checksum. */
    public static final int LENGTH = 32;

    /** Blocks whose checksums are asked for at once. */
    public static final int MOST_BLOCKS = 64;

    private Checksums() {}

    /** CRC-32C of what can be read from a buffer. */
    public static int of(ByteBuf content) {
        CRC32C checksum = new CRC32C();
        for (ByteBuffer part : content.nioBuffers()) {
            checksum.update(part);
        }
        return (int) checksum.getValue();
    }

    /** SHA-256 of each block from there; fewer at the end of the file. */
    public static byte[] of(ReplicaFile file, long offset, int blocks, ByteBufAllocator buffers) {
        ByteArrayOutputStream checksums = new ByteArrayOutputStream(blocks * LENGTH);
        for (int block = 0; block < blocks; block++) {
            ByteBuf content = Content.read(file, offset + (long) block * BLOCK, BLOCK, buffers);
            try {
                if (!content.isReadable()) {
                    return checksums.toByteArray();
                }
                checksums.writeBytes(sha256(content.nioBuffer()));
            } finally {
                content.release();
            }
        }
        return checksums.toByteArray();
    }

    private static byte[] sha256(ByteBuffer content) {
        MessageDigest digest = sha256();
        digest.update(content);
        return digest.digest();
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each Java has SHA-256", e);
        }
    }
}
