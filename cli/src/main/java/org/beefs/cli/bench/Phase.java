package org.beefs.cli.bench;

import java.util.Locale;

/** The phases of benchmarks, in their order: each works on what the ones before it made. */
public enum Phase {
    /** Makes and closes empty files. */
    CREATE,
    /** Makes the source's folders. */
    MKDIR,
    /** Copies the source's files and links into them, with modes and times. */
    COPY,
    /** Looks at every file; of a tree also lists every folder. */
    STAT,
    /** Opens every file for reading, and closes it. */
    OPEN,
    /** Reads every byte and searches it. */
    GREP,
    /** Builds the copy. */
    COMPILE,
    /** Removes the copy. */
    REMOVE,
    /** Removes every file. */
    UNLINK,
    /** Writes a new file from one end to the other. */
    WRITE,
    /** Reads it likewise. */
    READ,
    /** Reads small blocks anywhere in it. */
    RANDOM_READ,
    /** Writes small blocks anywhere in it. */
    RANDOM_WRITE;

    /** As tables show it: {@code Mkdir}, {@code Random read}. */
    public String title() {
        return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
