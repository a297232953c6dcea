package org.beefs.common.posix;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Finds the errno that stands for what a future fails with. */
public final class Failures {
    private Failures() {}

    /** The cause below the wrappings that futures add. */
    public static Throwable unwrap(Throwable thrown) {
        Throwable cause = thrown;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /**
     * The failure as an errno: a {@link PosixException} as it is, cancellation as ECANCELED, a timeout as ETIMEDOUT,
     * and everything that nobody foresaw as EIO.
     */
    public static PosixException toPosix(Throwable thrown) {
        Throwable cause = unwrap(thrown);
        if (cause instanceof PosixException known) { // nearly always
            return known;
        }
        return switch (cause) {
            case CancellationException _ -> new PosixException(Errno.ECANCELED, "the operation was cancelled");
            case TimeoutException _ -> new PosixException(Errno.ETIMEDOUT, "the operation took too long");
            case Throwable unforeseen -> new PosixException(Errno.EIO, "unexpected failure: " + unforeseen);
        };
    }

    /** Whether nobody foresaw this failure, so that whoever handles it writes its stack trace to the log, once. */
    public static boolean isUnforeseen(Throwable thrown) {
        Throwable cause = unwrap(thrown);
        return !(cause instanceof PosixException
                || cause instanceof CancellationException
                || cause instanceof TimeoutException);
    }
}
