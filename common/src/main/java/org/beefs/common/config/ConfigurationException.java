package org.beefs.common.config;

import org.jspecify.annotations.Nullable;

/** A configuration that cannot be used. The message is one line for people: where, which key, and the right form. */
public final class ConfigurationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String problem;

    /** A file that cannot be used at all. */
    ConfigurationException(String message, Throwable cause) {
        super(message, cause);
        problem = message;
    }

    /** A value that cannot be used. */
    ConfigurationException(String where, String problem, @Nullable Throwable cause) {
        super(where + ": " + problem, cause);
        this.problem = problem;
    }

    /** The message; of a value that cannot be used without where it is from, for whoever has just given it. */
    public String problem() {
        return problem;
    }
}
