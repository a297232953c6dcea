package org.beefs.common.posix;

import java.util.concurrent.CompletionException;
import org.beefs.common.wire.Failure;

/**
 * An operation failed with an errno. The message is one sentence for people. Carries no stack trace: most of these are
 * everyday answers such as ENOENT. Futures pass a {@link CompletionException} on as it is; anything else they wrap in
 * one, with a stack trace, which would cost a thread that serves the kernel a tenth of its time.
 */
public final class PosixException extends CompletionException {
    private static final long serialVersionUID = 1L;

    private final Errno errno;

    public PosixException(Errno errno, String reason) {
        super(reason);
        this.errno = errno;
    }

    public static PosixException of(Failure failure) {
        return new PosixException(Errno.of(failure.getErrno()), failure.getReason());
    }

    public Errno errno() {
        return errno;
    }

    public Failure toFailure() {
        return Failure.newBuilder()
                .setErrno(errno.number())
                .setReason(getMessage())
                .build();
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }

    @Override
    public String getMessage() {
        String reason = super.getMessage();
        return reason == null ? errno.name() : reason;
    }
}
