package org.beefs.common.file;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells tables that a newer RocksDB has written, which an older one calls corrupt, from those that are. */
public final class NewerTables {
    private static final List<String> SAID =
            List.of("unsupported format_version", "Unknown Footer version", "not supported in this version");

    private NewerTables() {}

    /** Whether a message of RocksDB is about a format that this version of it does not know. */
    public static boolean areMeant(@Nullable String message) {
        return message != null && SAID.stream().anyMatch(message::contains);
    }
}
