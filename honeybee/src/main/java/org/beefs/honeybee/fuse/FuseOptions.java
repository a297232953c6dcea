package org.beefs.honeybee.fuse;

import java.time.Duration;

/**
 * How a hive is mounted.
 *
 * @param readers threads that take requests from the kernel, 1 to 64
 * @param writeBuffers writes of up to 1 MiB each that may be under way at once; when there are more, the kernel's
 *     callers wait
 * @param maxBackground requests that the kernel makes at once without a caller that waits, such as reading ahead; 1 to
 *     1024
 * @param readAhead bytes that the kernel reads ahead of a program that reads one after the other, in requests of up to
 *     1 MiB; up to 64 MiB
 * @param unmountPatience how long unmounting waits for programs that use the mount, before it is taken from them
 * @param readOnly the kernel refuses every change with EROFS
 * @param driver who serves it
 * @param allowOther who mounts without root lets other users in, root too; root's mounts are always for all users
 * @param nosuid set-user-id programs run with their caller's rights and device files cannot be opened, as always
 *     without root
 */
public record FuseOptions(
        int readers,
        int writeBuffers,
        int maxBackground,
        int readAhead,
        Duration unmountPatience,
        boolean readOnly,
        Driver driver,
        boolean allowOther,
        boolean nosuid) {
    /** The options of a desktop. */
    public static final FuseOptions DEFAULTS =
            new FuseOptions(3, 64, 64, 4 << 20, Duration.ofSeconds(2), false, Driver.AUTOMATIC, false, false);

    public FuseOptions {
        require(readers, 1, 64, "readers");
        require(writeBuffers, 1, 4096, "write buffers");
        require(maxBackground, 1, 1024, "background requests");
        require(readAhead, 0, 64 << 20, "bytes to read ahead");
        if (unmountPatience.isNegative()) {
            throw new IllegalArgumentException("the patience of unmounting cannot be negative");
        }
    }

    public FuseOptions withReaders(int number) {
        return new FuseOptions(
                number, writeBuffers, maxBackground, readAhead, unmountPatience, readOnly, driver, allowOther, nosuid);
    }

    public FuseOptions withReadOnly(boolean chosen) {
        return new FuseOptions(
                readers, writeBuffers, maxBackground, readAhead, unmountPatience, chosen, driver, allowOther, nosuid);
    }

    public FuseOptions withAllowOther(boolean chosen) {
        return new FuseOptions(
                readers, writeBuffers, maxBackground, readAhead, unmountPatience, readOnly, driver, chosen, nosuid);
    }

    public FuseOptions withDriver(Driver chosen) {
        return new FuseOptions(
                readers, writeBuffers, maxBackground, readAhead, unmountPatience, readOnly, chosen, allowOther, nosuid);
    }

    public FuseOptions withNosuid(boolean chosen) {
        return new FuseOptions(
                readers, writeBuffers, maxBackground, readAhead, unmountPatience, readOnly, driver, allowOther, chosen);
    }

    private static void require(int value, int least, int most, String name) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "the number of " + name + " is " + value + ", not between " + least + " and " + most);
        }
    }
}
