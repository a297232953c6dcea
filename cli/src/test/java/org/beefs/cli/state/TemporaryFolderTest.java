package org.beefs.cli.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryFolderTest {
    @TempDir
    private Path parent;

    @Test
    void shouldRemoveAllThatIsInItAndFollowNoLinks() throws IOException {
        Path others = Files.createDirectory(parent.resolve("others"));
        Files.createFile(others.resolve("kept"));

        try (TemporaryFolder folder = TemporaryFolder.in(parent, "test")) {
            Path deep = Files.createDirectories(folder.path().resolve("a/b/c"));
            Files.createFile(deep.resolve("file"));
            Files.createSymbolicLink(deep.resolve("link"), others);
            Files.createSymbolicLink(deep.resolve("dangling"), parent.resolve("nothing"));
        }

        assertThat(parent).isDirectoryNotContaining(path -> !path.equals(others));
        assertThat(others.resolve("kept")).exists();
    }
}
