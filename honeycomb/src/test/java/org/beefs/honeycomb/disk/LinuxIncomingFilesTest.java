package org.beefs.honeycomb.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.honeycomb.state.ReplicaId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a start on a full disk leaves of versions that have come in part. */
class LinuxIncomingFilesTest {
    private static final ReplicaId SMALL = new ReplicaId(1, 0);
    private static final ReplicaId LARGE = new ReplicaId(2, 0);

    @TempDir
    Path folder;

    private LinuxIncomingFiles files;

    @BeforeEach
    void leave() throws IOException {
        Files.write(folder.resolve(SMALL.fileName()), new byte[1]);
        Files.write(folder.resolve(LARGE.fileName()), new byte[4096]);
        files = new LinuxIncomingFiles(folder);
    }

    @Test
    void shouldKeepAllWhileThereIsRoom() {
        files.discardWhile(() -> false);
        assertThat(files.all()).containsExactlyInAnyOrder(SMALL, LARGE);
    }

    @Test
    void shouldDiscardTheLargestUntilThereIsRoom() {
        files.discardWhile(() -> Files.exists(files.path(LARGE)));
        assertThat(files.all()).containsExactly(SMALL);
    }

    @Test
    void shouldDiscardAllWhenThatIsNotEnough() {
        files.discardWhile(() -> true);
        assertThat(files.all()).isEmpty();
        assertThat(folder).isEmptyDirectory();
    }
}
