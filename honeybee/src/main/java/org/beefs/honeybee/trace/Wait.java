package org.beefs.honeybee.trace;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Something that a call waits for.
 *
 * @param text for people: goes on after "waits for"
 */
public record Wait(Kind kind, String text) {
    /** Where it waits. */
    public enum Kind {
        /** In this daemon, because too much is under way. */
        TURN,
        /** For a disk of this desktop. */
        DISK,
        QUEEN_BEE,
        /** For another desktop's honeycomb. */
        HONEYCOMB,
        /** For a connection with the queen-bee or a honeycomb. */
        CONNECTION,
        LOCK,
        /** For what programs were told is written, and is on its way. */
        WRITE_BEHIND,
        /** Somewhere in this daemon. */
        UNKNOWN
    }

    static String text(List<Wait> waits) {
        return waits.stream().map(Wait::text).distinct().collect(Collectors.joining(", and for "));
    }
}
