package org.beefs.cli.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MountMemoryTest {
    private static final Path FIRST = Path.of("/mnt/first place");
    private static final Path SECOND = Path.of("/mnt/näxt\nline");

    @TempDir
    private Path temporary;

    @Test
    void shouldRememberAcrossProcesses() {
        memory().add(FIRST);
        memory().add(SECOND);
        memory().add(FIRST);

        assertThat(memory().list()).containsExactly(FIRST, SECOND);
    }

    @Test
    void shouldForget() {
        memory().add(FIRST);
        memory().add(SECOND);
        memory().remove(FIRST);
        memory().remove(FIRST);

        assertThat(memory().list()).containsExactly(SECOND);
    }

    @Test
    void shouldHoldNothingWhenTheFileIsMissingOrDamaged() throws IOException {
        assertThat(memory().list()).isEmpty();

        Files.writeString(temporary.resolve("mounts.json"), "[\"/mnt");
        assertThat(memory().list()).isEmpty();
    }

    private MountMemory memory() {
        return new MountMemory(temporary.resolve("mounts.json"));
    }
}
