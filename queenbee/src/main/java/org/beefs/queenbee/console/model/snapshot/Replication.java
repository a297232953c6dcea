package org.beefs.queenbee.console.model.snapshot;

import java.util.List;
import java.util.Map;
import org.beefs.queenbee.console.model.snapshot.DesktopView.Replicas;
import org.jspecify.annotations.Nullable;

/**
 * What going through all files has shown.
 *
 * @param time when that ended, as ISO 8601 has it; null before the first time
 * @param byDesktop what each desktop holds
 * @param lacking files with too few current replicas; a bounded number of them
 */
public record Replication(@Nullable String time, Map<String, Replicas> byDesktop, List<LackingFile> lacking) {
    public static final Replication UNKNOWN = new Replication(null, Map.of(), List.of());

    /** What a desktop holds; null before the first count. */
    @Nullable
    Replicas of(String desktop) {
        return time == null ? null : byDesktop.getOrDefault(desktop, Replicas.NONE);
    }
}
