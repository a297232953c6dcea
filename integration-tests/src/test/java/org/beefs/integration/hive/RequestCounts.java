package org.beefs.integration.hive;

import java.nio.file.Path;
import java.util.Map;

/**
 * What the kernel has asked a mount's daemon so far, as {@code beefs status} tells it.
 *
 * @param mount its path
 * @param byOperation a number for each operation that it has asked for, by FUSE's name of it
 */
public record RequestCounts(Path mount, Map<String, Long> byOperation) {
    static RequestCounts of(Hive hive, Path mount) {
        return hive.report().mounts().stream()
                .filter(one -> one.path().equals(mount.toString()))
                .map(one -> new RequestCounts(mount, one.requests()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no mount at " + mount));
    }

    /** Of all these operations together. */
    public long of(String... operations) {
        long sum = 0;
        for (String operation : operations) {
            sum += byOperation.getOrDefault(operation, 0L);
        }
        return sum;
    }
}
