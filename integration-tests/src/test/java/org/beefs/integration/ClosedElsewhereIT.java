package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.Hives;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.Role;
import org.junit.jupiter.api.Test;

/** Content of new files goes to another desktop before the queen-bee has heard of them. */
@InHive
class ClosedElsewhereIT {
    /** So few that all are written before the desktop takes the queen-bee for gone. */
    private static final int FILES = 20;

    @Test
    void shouldKeepFilesWhoseMakerDiedBeforeTheQueenBeeHeardOfThem(Hives hives) throws IOException {
        Hive hive = hives.create(1);
        Path home = Files.createDirectory(hive.mountOn("laptop").resolve("home"));
        Files.writeString(home.resolve("first"), "which connects the laptop with the desktop");
        Role queenBee = hive.queenBee();
        queenBee.stop();
        try {
            for (int i = 0; i < FILES; i++) {
                Files.writeString(home.resolve("file" + i), "content of " + i);
            }
            Files.delete(home.resolve("file0"));
            hive.role("laptop").kill();
        } finally {
            queenBee.resume();
        }

        Path again = hive.mountOn("laptop").resolve("home");

        assertThat(again.resolve("file0")).doesNotExist();
        for (int i = 1; i < FILES; i++) {
            assertThat(again.resolve("file" + i)).hasContent("content of " + i);
            assertThat(hive.mount().resolve("home").resolve("file" + i)).hasContent("content of " + i);
        }
    }
}
