package org.beefs.simulator.model;

/** What must always hold, with the number that docs/ARCHITECTURE.md gives to it, or 0. */
public enum Invariant {
    POSIX(0, "Every answer is one that a POSIX file system could give, in some order of the operations."),
    NOTHING_STALE(
            1,
            "A read never returns bytes of a stale replica, except through descriptors that were already open on a desktop that"
                    + " has been cut off, until it is fenced."),
    ONE_PRIMARY(
            2,
            "A file has at most one primary per epoch, and only the newest epoch's primary takes writes into a version."),
    SYNCED_SURVIVES(3, "What fsync acknowledged survives any crash of any process."),
    ACKNOWLEDGED_SURVIVES(
            4,
            "An acknowledged namespace change survives the queen-bee's kill; after power loss a prefix survives, and all that"
                    + " was synced is in it."),
    WHOLE_VERSIONS(5, "A replica carries version v only if its whole content is v's and is on disk."),
    LAST_REPLICA(6, "Relocation, promotion and scrubbing never remove the last current replica."),
    NOTHING_OLDER(
            7,
            "No client reads a name or attribute older than a change already acknowledged to any client (except in the moments"
                    + " after a sleep or SIGSTOP, before its daemon has run)."),
    NOTHING_DROPPED(
            8,
            "Bytes and names that cannot be placed after a conflict, crash or partition are kept and named, never dropped."),
    NUMBERS_ONCE(9, "No number (inode, version, epoch, sequence) is ever issued twice with different meaning."),
    EVERYTHING_ENDS(10, "Every queue, cache, retry and wait has a bound, every request a deadline."),
    NAMESPACE_NEVER_BLOCKS(11, "The namespace thread never blocks."),
    LOCKS(
            0,
            "Two owners never hold the same byte of a file unless both share it, and nobody is refused a lock that is free."),
    RECOVERABLE(0, "From the records in the honeycombs' catalogs the namespace of a hive at rest can be rebuilt."),
    AT_REST(0, "A hive in which nothing is open keeps nothing of what was."),
    NO_DEFECT(0, "Nothing throws what nobody expects, and no part finds a defect in itself.");

    private final int number;
    private final String text;

    Invariant(int number, String text) {
        this.number = number;
        this.text = text;
    }

    /** Of docs/ARCHITECTURE.md, or 0. */
    int number() {
        return number;
    }

    /** The rule, for people. */
    String text() {
        return text;
    }
}
