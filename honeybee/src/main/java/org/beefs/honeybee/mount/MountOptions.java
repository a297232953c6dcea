package org.beefs.honeybee.mount;

import java.time.Duration;
import java.util.Map;
import org.beefs.common.config.Altered;

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
 * @param keepMounts what is mounted inside of the hive stays, and an overlay over it is sound, whatever others change:
 *     the kernel keeps no entries then, but looks each up
 */
public record MountOptions(
        int readers,
        int writeBuffers,
        int maxBackground,
        int readAhead,
        Duration unmountPatience,
        boolean readOnly,
        Driver driver,
        boolean allowOther,
        boolean nosuid,
        boolean keepMounts) {
    /** The options of a desktop. */
    public static final MountOptions DEFAULTS = new MountOptions(
            /* readers= */ 3,
            /* writeBuffers= */ 64,
            /* maxBackground= */ 64,
            /* readAhead= */ 4 << 20,
            /* unmountPatience= */ Duration.ofSeconds(2),
            /* readOnly= */ false,
            Driver.AUTOMATIC,
            /* allowOther= */ false,
            /* nosuid= */ false,
            /* keepMounts= */ false);

    public MountOptions {
        require(readers, 1, 64, "readers");
        require(writeBuffers, 1, 4096, "write buffers");
        require(maxBackground, 1, 1024, "background requests");
        require(readAhead, 0, 64 << 20, "bytes to read ahead");
        if (unmountPatience.isNegative()) {
            throw new IllegalArgumentException("the patience of unmounting cannot be negative");
        }
    }

    public MountOptions withReaders(int number) {
        return Altered.copy(this, Map.of("readers", number));
    }

    public MountOptions withReadOnly(boolean chosen) {
        return Altered.copy(this, Map.of("readOnly", chosen));
    }

    public MountOptions withAllowOther(boolean chosen) {
        return Altered.copy(this, Map.of("allowOther", chosen));
    }

    public MountOptions withDriver(Driver chosen) {
        return Altered.copy(this, Map.of("driver", chosen));
    }

    public MountOptions withNosuid(boolean chosen) {
        return Altered.copy(this, Map.of("nosuid", chosen));
    }

    public MountOptions withKeepMounts(boolean chosen) {
        return Altered.copy(this, Map.of("keepMounts", chosen));
    }

    private static void require(int value, int least, int most, String name) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "the number of " + name + " is " + value + ", not between " + least + " and " + most);
        }
    }
}
