package org.beefs.honeycomb.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
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
        room = new SpareRoom(folder, () -> free);
    }

    /** The same folder at another start. */
    private void startAgain() {
        make();
    }

    /** All that is kept, to a disk that is quite full. */
    private void giveAll() {
        room.keep();
        free = 0;
        room.giveIfFull();
    }

    @Test
    void shouldTakeBlocksOfTheDisk() throws IOException {
        room.keep();
        room.keep();

        assertThat(file).hasSize(SpareRoom.BYTES);
        assertHasBlocks();
    }

    @Test
    void shouldNotFollowASymbolicLink() throws IOException {
        Path others = Files.writeString(folder.resolve("others"), "of somebody else");
        Files.createSymbolicLink(file, others);

        room.keep();

        assertThat(others).hasContent("of somebody else");
    }

    @Test
    void shouldTakeThemForACopyThatHasNone() throws IOException {
        try (RandomAccessFile copy = new RandomAccessFile(file.toFile(), "rw")) {
            copy.setLength(SpareRoom.BYTES);
        }

        room.keep();

        assertHasBlocks();
    }

    private void assertHasBlocks() {
        try (LinuxReplicaFile kept = Objects.requireNonNull(LinuxReplicaFile.open(file))) {
            assertThat(kept.status().allocated()).isGreaterThanOrEqualTo(SpareRoom.BYTES);
        }
    }

    @Test
    void shouldGiveThemToAFullDiskOnly() throws IOException {
        room.keep();
        room.giveIfFull();
        assertThat(file).exists();

        free = SpareRoom.BYTES - 1;
        room.giveIfFull();
        assertThat(file).doesNotExist();

        room.giveIfFull();
    }

    @Test
    void shouldTakeAgainWhatAStartHasLeftOfThem() throws IOException {
        giveAll();
        free = SpareRoom.BYTES - 1;

        room.keep();

        assertThat(file).hasSize(SpareRoom.BYTES - SpareRoom.UNIT);
    }

    /** RocksDB keeps some while its database is open. */
    @Test
    void shouldTakeAgainWhatTheProcessGivesBackAtItsEnd() throws IOException {
        giveAll();
        free = 6 * SpareRoom.UNIT;
        room.keep();
        free = 8 * SpareRoom.UNIT;

        room.keep();

        assertThat(file).hasSize(14 * SpareRoom.UNIT);
    }

    @Test
    void shouldTakeNoMoreThanBefore() throws IOException {
        room.keep();
        free = SpareRoom.BYTES - 1;
        room.giveIfFull();
        free += SpareRoom.BYTES;

        room.keep();

        assertThat(file).hasSize(SpareRoom.BYTES);
    }

    @Test
    void shouldTakeNothingWhereOthersWereFaster() throws IOException {
        giveAll();

        room.keep();

        assertThat(file).doesNotExist();
    }

    @Test
    void shouldTakeTheRestWhenThereIsRoomAgain() throws IOException {
        giveAll();
        free = 3 * SpareRoom.UNIT;
        room.keep();
        assertThat(file).hasSize(free);

        startAgain();
        free = 2 * SpareRoom.BYTES;
        room.keep();

        assertThat(file).hasSize(SpareRoom.BYTES);
    }

    @Test
    void shouldLeaveADiskAloneThatIsNearlyFull() throws IOException {
        free = 2 * SpareRoom.BYTES - 1;

        room.giveIfFull();
        room.keep();

        assertThat(file).doesNotExist();
    }

    /** As where the folder is read-only. */
    @Test
    void shouldGoOnWhereItCanNeitherBeTakenNorGiven() throws IOException {
        Files.createDirectories(file.resolve("something"));

        room.keep();
        free = 0;
        room.giveIfFull();

        assertThat(file).isDirectory();
    }
}
