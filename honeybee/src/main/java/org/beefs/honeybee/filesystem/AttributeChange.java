package org.beefs.honeybee.filesystem;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a setattr changes; null leaves a field as it is.
 *
 * @param mode permission bits, 07777
 * @param uid owner
 * @param gid group
 * @param size length in bytes
 * @param atime last access
 * @param mtime last modification
 * @param handle an open handle through which the change is made: its rights count instead of the file's mode when the
 *     size changes
 * @param clearPrivileges remove set-uid and set-gid bits as a write by another user does
 */
public record AttributeChange(
        @Nullable Integer mode,
        @Nullable Integer uid,
        @Nullable Integer gid,
        @Nullable Long size,
        @Nullable TimeChange atime,
        @Nullable TimeChange mtime,
        @Nullable Long handle,
        boolean clearPrivileges) {

    /** A time to set: a given one, or now, for which write permission suffices. */
    public sealed interface TimeChange {
        @Nullable
        Instant time();

        record At(Instant time) implements TimeChange {}

        /**
         * The present time.
         *
         * @param time what the caller's kernel takes for now, so that it is in order with what that kernel writes; null
         *     when it does not say, for the queen-bee's time
         */
        record Now(@Nullable Instant time) implements TimeChange {}
    }
}
