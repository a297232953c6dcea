package org.beefs.queenbee.operations;

/**
 * The operation cannot be decided now: it is parked and later run again from the start, at the latest when the time that the
 * sessions have to come back is over. Carries no stack trace.
 */
public final class ParkedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ParkedException(String reason) {
        super(reason, null, false, false);
    }
}
