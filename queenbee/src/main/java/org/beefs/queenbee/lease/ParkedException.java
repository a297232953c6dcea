package org.beefs.queenbee.lease;

/**
 * The operation cannot be decided now: it is parked and later run again from the start. Thrown before anything was
 * changed. Carries no stack trace.
 */
public final class ParkedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Wait wait;
    private final String reason;

    /**
     * @param wait what it waits for
     * @param reason for logs and for who is told to ask again
     */
    public ParkedException(Wait wait, String reason) {
        super(reason, null, false, false);
        this.wait = wait;
        this.reason = reason;
    }

    public Wait waitsFor() {
        return wait;
    }

    public String reason() {
        return reason;
    }
}
