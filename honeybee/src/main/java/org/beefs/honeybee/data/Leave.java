package org.beefs.honeybee.data;

import java.util.function.BooleanSupplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;

/**
 * What a write needs that was answered before it is sent. Thread-safe.
 *
 * @param wanted false when it must never be written any more, because others have used the file since
 * @param allowed false as long as others may have, and the queen-bee was not asked
 */
record Leave(BooleanSupplier wanted, BooleanSupplier allowed) {
    static final Leave ALWAYS = new Leave(() -> true, () -> true);

    boolean isGiven() {
        return wanted.getAsBoolean() && allowed.getAsBoolean();
    }

    /** Throws EIO when it is not wanted, EAGAIN when it is not allowed now. */
    void check() {
        if (!wanted.getAsBoolean()) {
            throw new PosixException(
                    Errno.EIO, "others have used the file since this was written, and what they did counts");
        }
        if (!allowed.getAsBoolean()) {
            throw new PosixException(
                    Errno.EAGAIN,
                    "others may have used the file since this was written: the queen-bee has to be asked");
        }
    }
}
