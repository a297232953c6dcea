package org.beefs.simulator.hive;

/** Faults as a programmer might make them, planted where production code meets its surroundings. */
public enum Sabotage {
    NONE,
    /** The queen-bee answers before its changes are written: its store writes them a little later. */
    ANSWERS_BEFORE_WRITING,
    /** The answers kept for repeated requests are not persisted. */
    FORGETS_ANSWERS,
    /** Repeated requests to the queen-bee are taken for new ones. */
    REPEATS_CHANGES,
    /** Repeated requests to a honeycomb are taken for new ones. */
    REPEATS_WRITES,
    /** Syncing does nothing. */
    NEVER_SYNCS,
    /** Opens for reading are forgotten at once, so that an unlinked file goes while it is open. */
    FORGETS_OPENS,
    /** Of several reports on a file the last to arrive counts, not the latest observation. */
    TRUSTS_LAST_REPORT
}
