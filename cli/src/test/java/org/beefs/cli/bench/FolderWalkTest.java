package org.beefs.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.beefs.common.posix.FileMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderWalkTest {
    @TempDir
    Path folder = Path.of("");

    @Test
    void shouldComeToEachRegularFileOnce() throws Exception {
        Path below = Files.createDirectories(folder.resolve("a/b"));
        Path first = Files.writeString(folder.resolve("first"), "1");
        Path second = Files.writeString(below.resolve("zweite\u00df"), "2");
        Files.createSymbolicLink(folder.resolve("link"), first);
        Files.createSymbolicLink(below.resolve("round"), folder);
        List<Path> found = new ArrayList<>();

        FolderWalk.through(folder, found::add);

        assertThat(found).containsExactlyInAnyOrder(first, second);
    }

    @Test
    void shouldTellTypeAndPermissionsOfTheEntryItself() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);

        assertThat(FileMode.isRegular(FolderWalk.look(file))).isTrue();
        assertThat(FileMode.isDirectory(FolderWalk.look(folder))).isTrue();
        assertThat(FileMode.isSymbolicLink(FolderWalk.look(link))).isTrue();
    }

    @Test
    void shouldSayWhichEntryIsMissing() {
        Path missing = folder.resolve("missing");

        assertThatThrownBy(() -> FolderWalk.look(missing))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining(missing.toString())
                .hasMessageContaining("ENOENT");
    }
}
