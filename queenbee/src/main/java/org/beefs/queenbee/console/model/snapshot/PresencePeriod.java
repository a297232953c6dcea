package org.beefs.queenbee.console.model.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * A time in which a desktop's honeycomb was the same all the while. Its JSON is an interface: fields are added, never
 * renamed.
 *
 * @param presence {@code awake}, {@code asleep}, {@code lost}, or {@code not seen} while the queen-bee did not look
 * @param from when it began, as ISO 8601 has it
 * @param until when it ended; null for the present
 */
public record PresencePeriod(
        String presence, String from, @Nullable String until) {
    public static final String NOT_SEEN = "not seen";
}
