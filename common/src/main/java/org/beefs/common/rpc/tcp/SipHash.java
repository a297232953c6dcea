package org.beefs.common.rpc.tcp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * SipHash-2-4 under one key: a message authentication code of 64 bits that is fast for short messages, also without the
 * optimizing compiler (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012). Not thread-safe.
 */
final class SipHash {
    static final int KEY_BYTES = 16;

    private static final int ROUNDS_PER_WORD = 2;
    private static final int ROUNDS_AT_THE_END = 4;

    private final long key0;
    private final long key1;

    private long v0;
    private long v1;
    private long v2;
    private long v3;

    SipHash(byte[] key) {
        ByteBuffer words = ByteBuffer.wrap(key, 0, KEY_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        key0 = words.getLong();
        key1 = words.getLong();
    }

    /**
     * The hash of the eight bytes of a number, the least significant first, and of all that the buffer has to be read.
     * Sets the buffer's byte order.
     */
    long hash(long first, ByteBuffer bytes) {
        v0 = key0 ^ 0x736f6d6570736575L;
        v1 = key1 ^ 0x646f72616e646f6dL;
        v2 = key0 ^ 0x6c7967656e657261L;
        v3 = key1 ^ 0x7465646279746573L;
        bytes.order(ByteOrder.LITTLE_ENDIAN);
        mix(first, ROUNDS_PER_WORD);
        int start = bytes.position();
        int rest = start + (bytes.remaining() & -Long.BYTES);
        for (int at = start; at < rest; at += Long.BYTES) {
            mix(bytes.getLong(at), ROUNDS_PER_WORD);
        }
        mix(lastWord(bytes, rest), ROUNDS_PER_WORD);
        v2 ^= 0xff;
        mix(0, ROUNDS_AT_THE_END);
        return v0 ^ v1 ^ v2 ^ v3;
    }

    /** The bytes that fill no word, and the length of all. */
    private static long lastWord(ByteBuffer bytes, int rest) {
        long word = (long) (Long.BYTES + bytes.remaining()) << 56;
        for (int at = rest; at < bytes.limit(); at++) {
            word |= (bytes.get(at) & 0xFFL) << ((at - rest) * Byte.SIZE);
        }
        return word;
    }

    /** Works with local variables, which the simple compiler keeps in registers. */
    private void mix(long word, int rounds) {
        long a = v0;
        long b = v1;
        long c = v2;
        long d = v3 ^ word;
        for (int i = 0; i < rounds; i++) {
            a += b;
            c += d;
            b = Long.rotateLeft(b, 13) ^ a;
            d = Long.rotateLeft(d, 16) ^ c;
            a = Long.rotateLeft(a, 32) + d;
            c += b;
            b = Long.rotateLeft(b, 17) ^ c;
            d = Long.rotateLeft(d, 21) ^ a;
            c = Long.rotateLeft(c, 32);
        }
        v0 = a ^ word;
        v1 = b;
        v2 = c;
        v3 = d;
    }
}
