package org.beefs.honeybee.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class OpenPlaceTest {
    @TempDir
    Path temporary;

    private Path folder;
    private Path directory;

    @BeforeEach
    void makeDirectory() throws IOException {
        folder = temporary.toRealPath();
        directory = Files.createDirectory(folder.resolve("directory"));
    }

    @Test
    void shouldStayAtTheDirectoryWhenItsPathLeadsElsewhere() throws IOException {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        try (OpenPlace place = OpenPlace.open(directory)) {
            Path moved = Files.move(directory, folder.resolve("moved"));
            Files.createSymbolicLink(directory, elsewhere);

            Files.createFile(place.opened().resolve("file"));

            assertThat(moved.resolve("file")).exists();
            assertThat(elsewhere).isEmptyDirectory();
        }
    }

    @Test
    void shouldRefuseWhatASymbolicLinkLeadsTo() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), directory);

        assertThatThrownBy(() -> OpenPlace.open(link))
                .isInstanceOf(MountRefusedException.class)
                .hasMessage("cannot mount at " + link + ": a symbolic link leads to " + directory);
    }

    @Test
    void shouldSayWhatIsMissing() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));

        assertThatThrownBy(() -> OpenPlace.open(file)).hasMessageEndingWith("it is not a directory");
        assertThatThrownBy(() -> OpenPlace.open(file.resolve("x"))).hasMessageEndingWith("it is not a directory");
        assertThatThrownBy(() -> OpenPlace.open(folder.resolve("absent/x"))).hasMessageContaining("create it first");
    }
}
