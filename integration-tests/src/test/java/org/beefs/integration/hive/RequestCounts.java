package org.beefs.integration.hive;

import java.nio.file.Path;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the kernel has asked a mount's daemon so far, as {@code beefs status} tells it.
 *
 * @param mount its path
 * @param byOperation a number for each operation that it has asked for, by FUSE's name of it
 */
public record RequestCounts(Path mount, JsonNode byOperation) {
    static RequestCounts of(Hive hive, Path mount) {
        JsonNode mounts = JsonMapper.shared()
                .readTree(hive.beefs("status", "--json").run().output())
                .get("mounts");
        return StreamSupport.stream(mounts.spliterator(), false)
                .filter(one -> one.get("path").asString().equals(mount.toString()))
                .map(one -> new RequestCounts(mount, one.get("requests")))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no mount at " + mount));
    }

    /** Of all these operations together. */
    public long of(String... operations) {
        long sum = 0;
        for (String operation : operations) {
            sum += byOperation.path(operation).asLong(0);
        }
        return sum;
    }
}
