package org.beefs.queenbee.console.model.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that has happened. Its JSON is an interface: fields are added, never renamed.
 *
 * @param id higher than those of all earlier ones
 * @param time as ISO 8601 has it
 * @param kind one of {@link #KINDS}
 * @param desktop that it is about, if it is about one
 * @param text for people
 * @param who did it; null for what happened by itself
 */
public record Event(
        long id,
        String time,
        String kind,
        @Nullable String desktop,
        String text,
        @Nullable String who) {
    public static final List<String> KINDS = List.of("hive", "desktop", "action", "login");
}
