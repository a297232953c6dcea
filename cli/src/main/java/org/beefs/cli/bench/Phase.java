package org.beefs.cli.bench;

import java.util.Locale;

/** The phases of the Andrew benchmark, in their order: each works on what the ones before it made. */
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
    COMPILE;

    /** As tables show it: {@code Mkdir}. */
    public String title() {
        return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
    }
}
