package org.beefs.queenbee.lease;

/** What a parked request waits for. Each is itself only: compared by identity. */
public sealed interface Wait permits Clearance, Wait.Occasion {
    /**
     * An event upon which all requests that are parked for it are run again. The events of a pass are looked at in this
     * order.
     */
    enum Occasion implements Wait {
        /** A honeycomb that can take a new file. */
        HONEYCOMB,
        /** The honeycomb of a file's primary, which is away, to write there. */
        PRIMARY,
        /** A file's primary that is on its way to another honeycomb. */
        MOVE,
        /** Further copies of a file's content that somebody wants to have on other desktops' disks. */
        SECURED,
        /** Replicas that leave a full honeycomb, into which somebody writes. */
        ROOM,
        /** The result of comparing a honeycomb's inventory with the namespace. */
        COMPARED,
        /** The result of looking through all files for what is in a honeycomb. */
        SEARCHED,
        /** What was lost with the queen-bee's power and is made again. */
        CHANGED_AGAIN,
        /**
         * All sessions from before the queen-bee's start, or the time in which they may still have cached something.
         */
        END_OF_GRACE
    }
}
