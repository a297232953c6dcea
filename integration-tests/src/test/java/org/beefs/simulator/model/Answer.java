package org.beefs.simulator.model;

import java.util.List;
import org.beefs.common.posix.Errno;
import org.jspecify.annotations.Nullable;

/**
 * How an operation really ended.
 *
 * @param error why it failed, or null
 * @param seen otherwise, for each step what was seen of it
 */
public record Answer(@Nullable Errno error, List<Object> seen) {
    public static Answer success(List<Object> seen) {
        return new Answer(null, seen);
    }

    public static Answer failure(Errno error) {
        return new Answer(error, List.of());
    }
}
