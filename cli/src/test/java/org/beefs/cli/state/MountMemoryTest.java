package org.beefs.cli.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.common.log.LogLines;
import org.beefs.honeybee.mount.Driver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MountMemoryTest {
    private static final WantedMount FIRST = WantedMount.at("/mnt/first place");
    private static final WantedMount SECOND = new WantedMount("/mnt/näxt\nline", true, true, Driver.JNR);

    @TempDir
    private Path temporary;

    private final LogLines log = new LogLines(MountMemory.class.getName());

    @AfterEach
    void close() {
        log.close();
    }

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
        memory().remove(FIRST.place());
        memory().remove(FIRST.place());

        assertThat(memory().list()).containsExactly(SECOND);
    }

    @Test
    void shouldRememberHowAPlaceWasMountedLast() {
        WantedMount readOnly = new WantedMount(FIRST.path(), true, false, null);
        memory().add(FIRST);
        memory().add(readOnly);

        assertThat(memory().list()).containsExactly(readOnly);
        assertThat(memory().at(FIRST.place())).contains(readOnly);
    }

    @Test
    void shouldUnderstandWhatEarlierVersionsRemembered() throws IOException {
        Files.writeString(temporary.resolve("mounts.json"), "[\"/mnt/first place\"]");

        assertThat(memory().list()).containsExactly(FIRST);

        Files.writeString(
                temporary.resolve("mounts.json"),
                "[{\"path\":\"/mnt/first place\",\"readOnly\":false,\"allowOther\":false}]");

        assertThat(memory().list()).containsExactly(FIRST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "[null]"})
    void shouldTakeNothingInItsFileForNoMounts(String nothing) throws IOException {
        Files.writeString(temporary.resolve("mounts.json"), nothing);

        assertThat(memory().list()).isEmpty();
    }

    @Test
    void shouldHoldNothingBeforeAnythingWasMounted() {
        assertThat(memory().list()).isEmpty();
        assertThat(log.warnings()).isEmpty();
    }

    @Test
    void shouldSayThatTheFileIsDamagedAndKeepIt() throws IOException {
        Files.writeString(temporary.resolve("mounts.json"), "[\"/mnt");

        assertThat(memory().list()).isEmpty();
        assertThat(log.warnings()).singleElement().asString().contains("cannot be read");
        memory().add(FIRST);

        assertThat(memory().list()).containsExactly(FIRST);
        assertThat(temporary.resolve("mounts.json.damaged")).hasContent("[\"/mnt");
    }

    /** As when too many files are open: what is in it may be in order. */
    @Test
    void shouldNotWriteOverAFileThatCannotBeReadNow() throws IOException {
        Files.createDirectories(temporary.resolve("mounts.json"));

        memory().add(FIRST);
        memory().remove(FIRST.place());

        assertThat(memory().list()).isEmpty();
        assertThat(temporary.resolve("mounts.json")).isEmptyDirectory();
        assertThat(log.warnings()).hasSize(3);
    }

    /** As on a full or read-only disk: whoever mounts or unmounts goes on. */
    @Test
    void shouldGoOnWhenNothingCanBeWritten() throws IOException {
        memory().add(FIRST);
        Files.createDirectories(temporary.resolve("mounts.json.new/in the way"));

        memory().add(SECOND);
        memory().remove(FIRST.place());

        assertThat(memory().list()).containsExactly(FIRST);
    }

    private MountMemory memory() {
        return new MountMemory(temporary.resolve("mounts.json"));
    }
}
