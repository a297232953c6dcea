package org.beefs.simulator.model;

/**
 * There are more orders in which things may have happened than can be looked at: whether all is right is not known from
 * here on.
 */
public final class UndecidedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UndecidedException(int possibilities) {
        super("more than %d possibilities to check; fewer operations must overlap".formatted(possibilities));
    }
}
