package org.beefs.queenbee.hive;

import java.time.Duration;

/**
 * How long a honeycomb has been away, and what that means.
 *
 * @param away as long as there was a queen-bee to see it: what she has missed herself counts for nobody
 * @param lost whether what it held is to be had elsewhere
 * @param declared whether somebody has said so, who accepts that changes which only it has are given up until it comes
 */
record Absence(Duration away, boolean lost, boolean declared) {
    /** The absence of a honeycomb that is there, or has just gone. */
    static final Absence NONE = new Absence(Duration.ZERO, false, false);

    Absence longerBy(Duration more) {
        return new Absence(away.plus(more), lost, declared);
    }

    Absence becomeLost(boolean bySomebody) {
        return new Absence(away, true, declared || bySomebody);
    }
}
