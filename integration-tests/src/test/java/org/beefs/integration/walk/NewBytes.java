package org.beefs.integration.walk;

import java.util.random.RandomGenerator;

/** Chooses what is written to files, and where. For one thread. */
final class NewBytes {
    static final int LARGEST_FILE = 256 * 1024;
    static final int LARGEST_WRITE = 16 * 1024;

    /** What O_DIRECT demands at most. */
    static final int BLOCK = 4096;

    private final RandomGenerator random;

    NewBytes(RandomGenerator random) {
        this.random = random;
    }

    /** Now and then many. */
    byte[] next() {
        return random(random.nextInt(random.nextInt(50) == 0 ? LARGEST_FILE : LARGEST_WRITE));
    }

    /** For O_DIRECT. */
    byte[] nextBlocks() {
        return random(BLOCK * (1 + random.nextInt(LARGEST_WRITE / BLOCK)));
    }

    byte[] random(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    /** So that the file does not become too large. */
    int offsetFor(byte[] bytes) {
        return random.nextInt(LARGEST_FILE - bytes.length);
    }
}
