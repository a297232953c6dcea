package org.beefs.honeycomb.memory;

import java.util.Arrays;
import java.util.function.BooleanSupplier;

/** A page of a file, in memory and on disk. A page that is given up and made again is another one. Not thread-safe. */
final class MemoryPage {
    static final int SIZE = 4096;

    /** What a disk writes as a whole. */
    private static final int SECTOR = 512;

    private static final byte[] HOLE = new byte[SIZE];

    private final byte[] bytes = new byte[SIZE];
    private byte[] onDisk = HOLE;

    byte[] bytes() {
        return bytes;
    }

    boolean isZero() {
        return Arrays.equals(bytes, HOLE);
    }

    MemoryPage copy() {
        MemoryPage copy = new MemoryPage();
        System.arraycopy(bytes, 0, copy.bytes, 0, SIZE);
        copy.onDisk = onDisk;
        return copy;
    }

    void sync() {
        onDisk = bytes.clone();
    }

    /** @param keeps asked for each sector whether it was written before the power was lost */
    void losePower(BooleanSupplier keeps) {
        for (int sector = 0; sector < SIZE; sector += SECTOR) {
            if (!keeps.getAsBoolean()) {
                System.arraycopy(onDisk, sector, bytes, sector, SECTOR);
            }
        }
        sync();
    }
}
