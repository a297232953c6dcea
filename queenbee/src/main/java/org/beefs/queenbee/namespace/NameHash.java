package org.beefs.queenbee.namespace;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/**
 * A hash of names that depends on two secrets. Users choose names: who knew the hash would choose many that a table
 * keeps in one place, and the namespace thread would walk all of them for each. Eight bytes at a time are multiplied to
 * 128 bits, which are folded.
 *
 * @param multiplier odd
 */
record NameHash(long seed, long multiplier) {
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** A hash with a secret that nobody else has. */
    static NameHash secret() {
        SecureRandom random = new SecureRandom();
        return new NameHash(random.nextLong(), random.nextLong() | 1);
    }

    int of(byte[] name) {
        long hash = seed;
        int whole = name.length & -Long.BYTES;
        for (int i = 0; i < whole; i += Long.BYTES) {
            hash = mix(hash ^ (long) WORD.get(name, i));
        }
        if (whole < name.length) {
            hash = mix(hash ^ rest(name, whole));
        }
        return (int) mix(hash ^ name.length);
    }

    private static long rest(byte[] name, int from) {
        long word = 0;
        for (int i = from; i < name.length; i++) {
            word = (word << Byte.SIZE) | (name[i] & 0xFF);
        }
        return word;
    }

    private long mix(long value) {
        return (value * multiplier) ^ Math.unsignedMultiplyHigh(value, multiplier);
    }
}
