package org.beefs.queenbee.check;

/** Kinds of damage. Their words are for scripts and stay as they are. */
enum Damage {
    /** An entry and what it names do not fit together. */
    ENTRY("entry"),
    /** A directory has more than one name, or the root has one. */
    NAMES("names"),
    /** A directory is inside itself. */
    LOOP("loop"),
    /** An inode should have a name and has none. */
    NAMELESS("nameless"),
    LINK_COUNT("link-count"),
    /** An inode that nobody can reach any more is still there. */
    ORPHAN("orphan"),
    /** A file counts as being written, and nobody writes it. */
    LEFT_DIRTY("left-dirty"),
    /** A file's list of replicas contradicts itself. */
    PLACES("places"),
    /** A replica is not where it should be. */
    MISSING("missing-replica"),
    /** A replica's file cannot be read. */
    UNREADABLE("unreadable-replica"),
    /** A replica says that it is something else. */
    IDENTITY("wrong-replica"),
    /** A replica has another size or time than its version, though it says that it is the version. */
    ALTERED("altered-replica"),
    /** A primary replica was changed, and the queen-bee does not know. */
    UNNOTICED("unnoticed-change"),
    /** A secondary replica holds less than the queen-bee believes. */
    OUTDATED("outdated-replica"),
    /** Replicas of one version have different contents. */
    CONTENT("different-content"),
    /** A replica of a file that was removed. */
    LEFTOVER("leftover-replica"),
    /** A secondary replica that its file knows nothing of. */
    SUPERFLUOUS("superfluous-replica"),
    /** A replica of a file that this hive does not know. */
    UNKNOWN("unknown-replica"),
    /** A honeycomb's index and its folder differ. */
    CATALOG("catalog");

    private final String word;

    Damage(String word) {
        this.word = word;
    }

    String word() {
        return word;
    }
}
