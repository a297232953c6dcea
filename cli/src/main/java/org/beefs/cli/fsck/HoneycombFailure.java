package org.beefs.cli.fsck;

import com.google.protobuf.ByteString;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;

/**
 * What a honeycomb was asked failed, or it did not answer. The message is one sentence for people. Carries no stack
 * trace.
 */
final class HoneycombFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ByteString uuid;
    private final Errno errno;

    HoneycombFailure(ByteString uuid, PosixException cause) {
        super(cause.getMessage(), cause, false, false);
        this.uuid = uuid;
        this.errno = cause.errno();
    }

    /** Of the honeycomb's folder. */
    ByteString uuid() {
        return uuid;
    }

    Errno errno() {
        return errno;
    }
}
