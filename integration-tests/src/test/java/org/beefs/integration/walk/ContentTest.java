package org.beefs.integration.walk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.integration.linux.MappedFile;
import org.beefs.integration.linux.Posix;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the model demands of a file in which somebody stores through a mapping. */
@NullUnmarked
class ContentTest {
    private static final Mount HERE = new Mount("here", Path.of("/here"));
    private static final Mount THERE = new Mount("there", Path.of("/there"));

    @TempDir
    private Path folder;

    private Content content;
    private SharedMapping mapping;

    @BeforeEach
    void map() throws IOException {
        content = new Content(new Changes());
        content.write(HERE, 0, bytes("1234"));
        Path file = Files.write(folder.resolve("file"), bytes("1234"));
        int fd = Posix.open(file, Posix.O_RDWR, 0);
        mapping = new SharedMapping(HERE, content, new MappedFile(fd, content.size()), "here:file");
        Posix.close(fd);
        content.map(mapping);
    }

    @AfterEach
    void unmap() {
        mapping.memory().close();
    }

    @Test
    void shouldDemandOfEverybodyWhatWasWritten() {
        assertThat(mismatch(HERE, "1234")).isEqualTo(-1);
        assertThat(mismatch(THERE, "1294")).isEqualTo(2);
        assertThat(mismatch(THERE, "12345")).isEqualTo(4);
    }

    @Test
    void shouldLetOthersSeeEachByteAsItIsOrWasSinceTheLastSync() {
        content.store(mapping, 1, bytes("ab"));
        content.store(mapping, 1, bytes("c"));

        assertThat(mismatch(THERE, "1cb4")).isEqualTo(-1);
        assertThat(mismatch(THERE, "1a34")).isEqualTo(-1);
        assertThat(mismatch(THERE, "12b4")).isEqualTo(-1);
        assertThat(mismatch(THERE, "1x34")).isEqualTo(1);
        assertThat(mismatch(THERE, "1234 ")).isEqualTo(4);
    }

    @Test
    void shouldDemandOfTheMountItselfWhatWasStoredThere() {
        content.store(mapping, 1, bytes("ab"));

        assertThat(mismatch(HERE, "1ab4")).isEqualTo(-1);
        assertThat(mismatch(HERE, "1a34")).isEqualTo(2);
    }

    @Test
    void shouldDemandOfEverybodyWhatWasSynced() {
        content.store(mapping, 1, bytes("ab"));
        content.sync(mapping);

        assertThat(mismatch(THERE, "1ab4")).isEqualTo(-1);
        assertThat(mismatch(THERE, "1234")).isEqualTo(1);
    }

    @Test
    void shouldDemandNothingOfAMappingAfterAnotherMountHasWritten() {
        content.write(HERE, 0, bytes("x"));
        assertThat(mapping.isOutdated()).isFalse();

        content.write(THERE, 0, bytes("y"));
        assertThat(mapping.isOutdated()).isTrue();
    }

    private int mismatch(Mount mount, String found) {
        return content.mismatch(mount, 0, bytes(found));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
