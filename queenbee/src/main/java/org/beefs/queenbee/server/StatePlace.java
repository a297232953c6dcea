package org.beefs.queenbee.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.common.file.Draft;
import org.beefs.common.time.ProductionOnly;
import org.beefs.queenbee.journal.RocksStateStore;
import org.beefs.queenbee.journal.StateException;

/**
 * Remembers in a queen-bee's folder where the state of her hive is, which may be on another disk: what is missing there
 * one day is not mounted, or lost, and no new hive.
 */
@ProductionOnly
final class StatePlace {
    private final Path state;
    private final Path file;

    StatePlace(ServerWorld world) {
        state = world.state();
        file = world.folder().resolve("state-place");
    }

    /** Fails with a sentence for people when she has a hive and its state is not there. */
    void check() throws IOException {
        if (Files.isRegularFile(file) && !RocksStateStore.isPresent(state)) {
            throw new StateException(
                    "the state of this queen-bee's hive is not in %s (when she ran last it was in %s): look whether its disk is mounted."
                                    .formatted(state, Files.readString(file).strip())
                            + " If it is lost, %s. To begin another, empty hive, remove %s"
                                    .formatted(StateException.RESTORE, file));
        }
    }

    /** From now on there is a hive. */
    void remember() throws IOException {
        String place = state + "\n";
        if (!Files.exists(file) || !Files.readString(file).equals(place)) {
            Draft.replace(file, place.getBytes(StandardCharsets.UTF_8));
        }
    }
}
