package org.beefs.honeycomb.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpareRoomTest {
    private static final long PLENTY = 1L << 40;

    @TempDir
    private Path folder;

    private Path file;
    private long free = PLENTY;
    private SpareRoom room;

    @BeforeEach
    void make() {
        file = folder.resolve("spare");
        room = new SpareRoom(folder, () -> new DiskSpace(PLENTY, free));
    }

    @Test
    void shouldTakeBlocksOfTheDisk() throws IOException {
        room.keep();
        room.keep();

        assertThat(file).hasSize(SpareRoom.BYTES);
        try (LinuxReplicaFile kept = Objects.requireNonNull(LinuxReplicaFile.open(file))) {
            assertThat(kept.status().allocated()).isGreaterThanOrEqualTo(SpareRoom.BYTES);
        }
    }

    @Test
    void shouldGiveThemBackToAFullDiskOnly() throws IOException {
        room.keep();
        room.giveBackIfFull();
        assertThat(file).exists();

        free = SpareRoom.BYTES - 1;
        room.giveBackIfFull();
        assertThat(file).doesNotExist();

        room.giveBackIfFull();
    }

    @Test
    void shouldLeaveADiskAloneThatIsNearlyFull() {
        free = 2 * SpareRoom.BYTES - 1;

        room.keep();

        assertThat(file).doesNotExist();
    }

    /** As where the folder is read-only. */
    @Test
    void shouldGoOnWithoutIt() throws IOException {
        Files.createDirectory(file);

        room.keep();

        assertThat(file).isDirectory();
    }
}
