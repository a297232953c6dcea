package org.beefs.honeycomb.pace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinuxPressureTest {
    @TempDir
    private Path folder;

    @Test
    void shouldTellTheHigherOfDiskAndProcessor() throws IOException {
        Files.writeString(folder.resolve("io"), """
                some avg10=12.50 avg60=1.00 avg300=0.10 total=99
                full avg10=50.00 avg60=0.00 avg300=0.00 total=1
                """);
        Files.writeString(folder.resolve("cpu"), "some avg10=3.00 avg60=1.00 avg300=0.10 total=99\n");

        assertThat(new LinuxPressure(folder).percent()).isEqualTo(12.5);
    }

    @Test
    void shouldTellOfNoneWhereTheKernelKeepsNoFigures() {
        assertThat(new LinuxPressure(folder.resolve("absent")).percent()).isZero();
    }
}
