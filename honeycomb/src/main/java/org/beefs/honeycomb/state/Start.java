package org.beefs.honeycomb.state;

import org.jspecify.annotations.Nullable;

/**
 * A start of a daemon on a folder.
 *
 * @param boot the how manieth
 * @param at when it was, in nanoseconds since 1970: folders that were one have had different starts since they parted
 * @param complete up to which journal sequence the catalog was complete then; it goes on whenever the queen-bee accepts
 *     the folder
 * @param marked when the folder was last marked as in use since, likewise: one that was copied before does not know of
 *     it. Null of older programs
 */
public record Start(
        long boot, long at, long complete, @Nullable Long marked) {
    /** This start, of a folder that is marked as in use now, or a moment after its last mark. */
    Start markedAt(long now) {
        return new Start(boot, at, complete, marked == null ? now : Math.max(marked + 1, now));
    }
}
