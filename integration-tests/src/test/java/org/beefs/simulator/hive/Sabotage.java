package org.beefs.simulator.hive;

/** Faults as a programmer might make them, planted where production code meets its surroundings. */
public enum Sabotage {
    NONE("nothing"),
    ANSWERS_BEFORE_WRITING(
            "the queen-bee answers before its changes are written: its store writes them a little later"),
    FORGETS_ANSWERS("the answers kept for repeated requests are not persisted"),
    REPEATS_CHANGES("repeated requests to the queen-bee are taken for new ones"),
    REPEATS_WRITES("repeated requests to a honeycomb are taken for new ones"),
    NEVER_SYNCS("the queen-bee's fsync does nothing"),
    NEVER_SYNCS_CONTENT("a honeycomb's fsync does nothing"),
    FORGETS_OPENS("opens for reading are forgotten at once, so that an unlinked file goes while it is open"),
    TRUSTS_LAST_REPORT("of several reports on a file the last to arrive counts, not the latest observation"),
    NO_RECALL("changes are made without recalling what others have cached"),
    NO_NOTIFICATION("a daemon forgets what is recalled, and does not tell its kernel"),
    NO_LEASE_WAIT("the queen-bee waits 100 ms, not 5 s, for a holder who says nothing"),
    NO_LEASE_END("a desktop uses its leases although it has heard nothing for a minute"),
    SLEEPS_UNNOTICED("a desktop's daemon counts its leases on a clock that stands still while the machine sleeps"),
    LEASES_BY_TIME_OF_DAY("a desktop's daemon counts its leases by the time of day, which may be set"),
    SESSIONS_BY_TIME_OF_DAY("the queen-bee counts silence by the time of day, which may be set"),
    NO_DIRTY_MARK("a file is opened for writing without being marked dirty"),
    DIRTY_MARK_NOT_JOURNALED("files are marked dirty in memory, and not in the journal"),
    REUSES_NUMBERS("a start begins no new incarnation, so that numbers of a lost tail are issued again"),
    NOTHING_MADE_AGAIN("desktops do not bring the changes that were answered and that a loss of power may have taken"),
    NO_GRACE("a restarted queen-bee waits for nobody: she has forgotten her sessions"),
    RECOVERS_OLDER_RECORDS("a recovery takes the oldest record of an inode, not the latest"),
    IGNORES_TOMBSTONES("a recovery does not look at what says that an inode is gone"),
    SYNCS_CONTENT_ONLY("a honeycomb's fsync brings content to disk, but not that a replica is no version any more"),
    POWER_CUT_UNNOTICED("a honeycomb does not notice that its machine has lost the power"),
    COUNTS_BEFORE_SYNC("a secondary counts before it is on disk"),
    CTIME_STANDS("programs change files that they have open without moving ctime"),
    COPIES_NOTHING("a honeycomb says that it has copied what it was told to, and has not"),
    SWAPS_BEFORE_CHECKSUM(
            "a honeycomb takes what it has fetched for the version, and does not look whether it was altered on its way"),
    CONFIRMS_NO_MOVE("a honeycomb says that it has the primary now, and has not noticed"),
    PAGES_KEPT("a kernel keeps content of files elsewhere, whatever it is told and sees of their size and times"),
    LOCKS_SHARED("the queen-bee takes whoever wants a lock for himself for one who shares it"),
    GRANTS_UNTOLD("who has got the lock that he waited for is not told"),
    DEADLOCKS_SEEN("whoever is to wait for a lock is told that there is a deadlock"),
    WRITE_ERRORS_SWALLOWED("fsync and close say yes, whatever has become of what was held back"),
    CONFLICT_COPIES_DROPPED("what a honeycomb has adopted as a conflict copy gets no name"),
    ANSWERS_BEFORE_COPIES("the queen-bee says that enough desktops have a file's content, and has not looked"),
    FORGETS_CHECKSUMS("a honeycomb knows no checksum of what it has read before, so that it takes rot for content"),
    FAILURES_UNNOTICED("a honeycomb does not notice that its disk is full, nor that a sync has failed"),
    FORGETS_AT_STOP("a honeycomb that is stopped in order leaves out of its catalog what it has learned last"),
    TRUSTS_RELEASE("a released file counts as not written any more, though it may still be mapped");

    private final String text;

    Sabotage(String text) {
        this.text = text;
    }

    /** What goes wrong, for people. */
    public String text() {
        return text;
    }
}
