package org.beefs.integration.walk;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.beefs.integration.program.Folders;
import org.beefs.integration.program.Requires;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The walk itself, in plain folders. */
@Requires
class WalkTest {
    private static final int SEED = 4711;
    private static final int STEPS = 2_000;

    private final Path folder = Folders.create("walk");
    private final Path one = folder.resolve("one/root");
    private final Path other = folder.resolve("other/root");

    @BeforeEach
    void createFolders() throws IOException {
        Files.createDirectories(one);
        Files.createDirectories(other);
    }

    @AfterEach
    void deleteFolders() {
        Folders.delete(folder);
    }

    @Test
    void shouldAgreeWithLinux() {
        try (Walk walk = walk(one, one)) {
            assertThatCode(() -> walk.go(STEPS)).doesNotThrowAnyException();
        }
    }

    @Test
    void shouldNoticeAtOnceWhatAnotherMountDoesNotShow() {
        try (Walk walk = walk(one, other)) {
            assertThatThrownBy(() -> walk.go(STEPS))
                    .hasMessageMatching("(?s)walk with seed 4711 failed at operation \\d:.*");
        }
    }

    @Test
    void shouldNoticeAChangeWhereNothingWasDone() throws IOException {
        try (Walk walk = walk(one, one)) {
            walk.go(STEPS);
            Files.write(anyFile(), new byte[1], StandardOpenOption.APPEND);
            assertThatThrownBy(() -> walk.go(0)).hasMessageContaining("seed 4711 failed at operation 2000: size of");
        }
    }

    @Test
    void shouldNoticeANameThatNothingWasDoneTo() throws IOException {
        try (Walk walk = walk(one, one)) {
            walk.go(STEPS);
            FileTime before = Files.getLastModifiedTime(one);
            Files.createFile(one.resolve("stranger"));
            Files.setLastModifiedTime(one, before);
            assertThatThrownBy(() -> walk.go(0))
                    .hasMessageContaining("entries of ")
                    .hasMessageContaining("stranger");
        }
    }

    private Path anyFile() throws IOException {
        try (Stream<Path> files = Files.walk(one)) {
            return files.filter(Files::isRegularFile).findFirst().orElseThrow();
        }
    }

    private static Walk walk(Path first, Path second) {
        return new Walk(SEED, List.of(new Mount("A", first), new Mount("B", second)));
    }
}
