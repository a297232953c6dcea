package org.beefs.queenbee.lock;

/**
 * A request that waits.
 *
 * @param ticket the session's own number for it
 */
public record Waiter(long ticket, Wanted wanted) {
    Key key() {
        return new Key(wanted.owner().session(), ticket);
    }

    /** Identifies a waiter in the hive. */
    record Key(long session, long ticket) {}
}
