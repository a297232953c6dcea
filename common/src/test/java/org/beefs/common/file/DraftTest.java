package org.beefs.common.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DraftTest {
    private static final byte[] CONTENT = "new".getBytes(UTF_8);

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void chooseFile() {
        file = folder.resolve("file");
    }

    @Test
    void shouldMakeAndReplaceFiles() throws IOException {
        Draft.replace(file, "old".getBytes(UTF_8));
        Draft.replace(file, CONTENT);

        assertThat(file).hasContent("new");
        assertThat(folder).isDirectoryContaining(path -> path.equals(file));
        assertThat(folder.toFile().list()).containsExactly("file");
    }

    @Test
    void shouldLeaveTheFileUntilItIsPublished() throws IOException {
        Draft.replace(file, "old".getBytes(UTF_8));

        try (Draft draft = Draft.write(file, CONTENT)) {
            assertThat(draft.path()).hasContent("new");
            assertThat(file).hasContent("old");
        }

        assertThat(file).hasContent("old");
        assertThat(folder.toFile().list()).as("thrown away").containsExactly("file");
    }

    @Test
    void shouldNotMindWhatAPowerLossHasLeft() throws IOException {
        Files.writeString(folder.resolve("file.new"), "a draft that is longer than the next one");

        Draft.replace(file, CONTENT);

        assertThat(file).hasContent("new");
    }

    @Test
    void shouldLetOnlyThoseReadWhoMay() throws IOException {
        Draft.replace(
                file, CONTENT, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void shouldFailWithoutAFolder() {
        assertThatThrownBy(() -> Draft.replace(folder.resolve("none/file"), CONTENT))
                .isInstanceOf(NoSuchFileException.class);
    }
}
