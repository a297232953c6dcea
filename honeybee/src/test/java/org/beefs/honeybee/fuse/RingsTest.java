package org.beefs.honeybee.fuse;

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

        try (Rings rings = Rings.open(Driver.RINGS, allowed)) {
            assertThat(rings.size()).isEqualTo(Processors.possible());
        }
        assertThat(allowed).hasContent("Y");
    }

    @Test
    void shouldDoWithoutWhereTheKernelHasNone() throws IOException {
        Path absent = folder.resolve("absent");

        assertThat(Rings.open(Driver.AUTOMATIC, absent).size()).isZero();
        assertThat(Rings.open(Driver.NATIVE, absent).size()).isZero();
        assertThatThrownBy(() -> Rings.open(Driver.RINGS, absent))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Linux 6.14");
    }

    @Test
    void shouldTouchNothingForReaders() throws IOException {
        Path allowed = Files.writeString(folder.resolve("allowed"), "N\n");

        assertThat(Rings.open(Driver.READERS, allowed).size()).isZero();

        assertThat(allowed).hasContent("N\n");
    }

    @Test
    void shouldDoWithoutWhereTheMountIsNotOfferedThem() throws IOException {
        Path allowed = Files.writeString(folder.resolve("allowed"), "Y\n");

        assertThat(Rings.open(Driver.NATIVE, allowed)
                        .agreed(false, Driver.NATIVE)
                        .size())
                .isZero();
        assertThatThrownBy(() -> Rings.open(Driver.RINGS, allowed).agreed(false, Driver.RINGS))
                .hasMessageContaining("does not offer");
    }
}
