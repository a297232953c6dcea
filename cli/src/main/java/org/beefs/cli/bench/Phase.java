package org.beefs.cli.bench;

import java.util.List;
import java.util.Locale;

/** The phases of benchmarks, in their order: each works on what the ones before it made. */
public enum Phase {
    /** Makes the source's folders. */
    MKDIR,
    /** Copies the source's files and links into them, with modes and times. */
    COPY,
    /** Lists every folder and looks at every entry. */
    STAT,
    /** Reads every byte and searches it. */
    GREP,
    /** Builds the copy. */
    COMPILE,
    /** Removes the copy. */
    REMOVE;

    /** Those of the Andrew benchmark. */
    static final List<Phase> ANDREW = List.of(MKDIR, COPY, STAT, GREP, COMPILE);

    /** Those of a tree that is made and removed. */
    static final List<Phase> TREE = List.of(MKDIR, COPY, STAT, GREP, REMOVE);

    /** As tables show it: {@code Mkdir}. */
    public String title() {
        return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
    }
}
