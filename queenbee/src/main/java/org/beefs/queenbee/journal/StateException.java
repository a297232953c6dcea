package org.beefs.queenbee.journal;

import java.io.IOException;

/** The state cannot be used. The message says what is wrong and what to do about it. */
public final class StateException extends IOException {
    /** The advice when the state is lost. */
    public static final String RESTORE =
            "restore a copy of the folder: what was made after the copy is then missing, and its content stays in the honeycombs";

    private static final long serialVersionUID = 1L;

    public StateException(String message) {
        super(message);
    }

    public StateException(String message, Throwable cause) {
        super(message, cause);
    }
}
