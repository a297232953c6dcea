package org.beefs.honeybee.fuse.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.common.linux.Processors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RingsTest {
    @TempDir
    Path folder;

    @Test
    void shouldAllowThemWhereTheyAreNotAllowedYet() throws IOException {
        Path allowed = Files.writeString(folder.resolve("allowed"), "N\n");

        try (Rings rings = Rings.open(true, allowed)) {
            assertThat(rings.size()).isEqualTo(Processors.possible());
        }
        assertThat(allowed).hasContent("Y");
    }

    @Test
    void shouldSayThatTheKernelHasNone() {
        Path absent = folder.resolve("absent");

        assertThatThrownBy(() -> Rings.open(true, absent))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Linux 6.14");
    }

    @Test
    void shouldTouchNothingUnlessAskedFor() throws IOException {
        Path allowed = Files.writeString(folder.resolve("allowed"), "N\n");

        assertThat(Rings.open(false, allowed).size()).isZero();

        assertThat(allowed).hasContent("N\n");
    }

    @Test
    void shouldSayThatTheMountIsNotOfferedThem() throws IOException {
        Path allowed = Files.writeString(folder.resolve("allowed"), "Y\n");

        try (Rings rings = Rings.open(true, allowed)) {
            assertThatThrownBy(() -> rings.requireTaken(false)).hasMessageContaining("does not offer");
        }
    }
}
