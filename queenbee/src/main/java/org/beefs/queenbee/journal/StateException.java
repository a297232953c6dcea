package org.beefs.queenbee.journal;

import java.io.IOException;

/** The state cannot be used. The message says what is wrong and what to do about it. */
public final class StateException extends IOException {
    private static final long serialVersionUID = 1L;

    public StateException(String message) {
        super(message);
    }

    public StateException(String message, Throwable cause) {
        super(message, cause);
    }
}
