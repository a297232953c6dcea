package org.beefs.queenbee.console.api;

import org.beefs.common.posix.PosixException;

/** A failure as RFC 9457 has it. */
public record Problem(String type, String title, int status, String detail) {
    public static final String MEDIA_TYPE = "application/problem+json";

    /** Status of a request that was passed on and had no answer: it may be done. */
    public static final int MAY_BE_DONE = 504;

    public static Problem of(int status, String detail) {
        return new Problem("about:blank", title(status), status, detail);
    }

    /** The problem of a request that the queen-bee or the console refuses. */
    public static Problem of(PosixException failure) {
        int status = switch (failure.errno()) {
            case ENOENT, ENODEV, ESTALE -> 404;
            case EINVAL, ENOTDIR, ENOSPC -> 400;
            case EACCES, EPERM -> 403;
            case EBUSY, EROFS, ENXIO -> 409;
            case EFBIG -> 413;
            case EAGAIN, ETIMEDOUT, EINTR -> 503;
            case EINPROGRESS -> MAY_BE_DONE;
            default -> 500;
        };
        return of(status, failure.getMessage());
    }

    private static String title(int status) {
        return switch (status) {
            case 400 -> "Bad Request";
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 409 -> "Conflict";
            case 413 -> "Content Too Large";
            case 503 -> "Service Unavailable";
            case MAY_BE_DONE -> "Gateway Timeout";
            default -> "Internal Server Error";
        };
    }
}
