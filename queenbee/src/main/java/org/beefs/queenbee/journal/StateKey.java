package org.beefs.queenbee.journal;

import java.nio.ByteBuffer;
import java.util.Comparator;

/**
 * Key of a record. Records are kept in the order of their keys, so that a loader meets what others refer to first:
 * inodes before entries, and all entries of a directory together, in the order of their cookies.
 *
 * @param a the number that identifies the record, or its owner
 * @param b the number within the owner, or 0
 */
public record StateKey(Kind kind, long a, long b) implements Comparable<StateKey> {
    /** Bytes of an encoded key. */
    public static final int LENGTH = 1 + Long.BYTES + Long.BYTES;

    public static final StateKey HIVE = new StateKey(Kind.HIVE, 0, 0);
    public static final StateKey JOURNAL = new StateKey(Kind.JOURNAL, 0, 0);

    private static final Comparator<StateKey> ORDER = Comparator.comparingInt((StateKey key) -> key.kind.code)
            .thenComparingLong(StateKey::a)
            .thenComparingLong(StateKey::b);

    /** What a record is about. */
    public enum Kind {
        HIVE(0),
        JOURNAL(1),
        HONEYCOMB(2),
        SESSION(3),
        ANSWER(4),
        DROP(5),
        INODE(6),
        ENTRY(7),
        LOCK(8),
        CONFLICT(9),
        TOMBSTONE(10),
        SUBSTITUTES(11);

        /** By code: the codes count from 0. */
        private static final Kind[] ALL = values();

        /** The first byte of the key on disk, which decides the order of records. */
        private final byte code;

        Kind(int code) {
            this.code = (byte) code;
        }

        private static Kind of(byte code) {
            if (code < 0 || code >= ALL.length) {
                throw new IllegalArgumentException("an unknown kind of record: " + code);
            }
            return ALL[code];
        }
    }

    public StateKey {
        if (a < 0 || b < 0) {
            throw new IllegalArgumentException("a number in a key is negative: " + kind + " " + a + " " + b);
        }
    }

    public static StateKey inode(long inode) {
        return new StateKey(Kind.INODE, inode, 0);
    }

    public static StateKey entry(long directory, long cookie) {
        return new StateKey(Kind.ENTRY, directory, cookie);
    }

    public static StateKey session(long session) {
        return new StateKey(Kind.SESSION, session, 0);
    }

    public static StateKey answer(long session, long sequence) {
        return new StateKey(Kind.ANSWER, session, sequence);
    }

    public static StateKey honeycomb(int number) {
        return new StateKey(Kind.HONEYCOMB, number, 0);
    }

    public static StateKey drop(int honeycomb, long inode) {
        return new StateKey(Kind.DROP, honeycomb, inode);
    }

    public static StateKey lock(long session, long number) {
        return new StateKey(Kind.LOCK, session, number);
    }

    public static StateKey tombstone(long inode) {
        return new StateKey(Kind.TOMBSTONE, inode, 0);
    }

    public static StateKey substitutes(long inode) {
        return new StateKey(Kind.SUBSTITUTES, inode, 0);
    }

    public static StateKey conflict(int honeycomb, long inode) {
        return new StateKey(Kind.CONFLICT, honeycomb, inode);
    }

    /** Takes {@link #LENGTH} bytes from the buffer. Throws {@link IllegalArgumentException} for what is no key. */
    static StateKey decode(ByteBuffer encoded) {
        return new StateKey(Kind.of(encoded.get()), encoded.getLong(), encoded.getLong());
    }

    /** The key in bytes, which are in the same order as by {@link #compareTo}. */
    public byte[] encode() {
        return ByteBuffer.allocate(LENGTH).put(kind.code).putLong(a).putLong(b).array();
    }

    @Override
    public int compareTo(StateKey other) {
        return ORDER.compare(this, other);
    }
}
