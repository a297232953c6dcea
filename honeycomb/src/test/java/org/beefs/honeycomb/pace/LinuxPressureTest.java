package org.beefs.honeycomb.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.beefs.common.time.ManualTimers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinuxPressureTest {
    private final ManualTimers timers = new ManualTimers();

    @TempDir
    private Path folder;

    @Test
    void shouldTellTheHigherOfDiskAndProcessor() throws IOException {
        Files.writeString(folder.resolve("io"), """
                some avg10=12.50 avg60=1.00 avg300=0.10 total=99
                full avg10=50.00 avg60=0.00 avg300=0.00 total=1
                """);
        write("cpu", 3, 99);

        assertThat(new LinuxPressure(folder, timers.clock()).percent()).isEqualTo(12.5);
    }

    @Test
    void shouldTellAtOnceThatProgramsWait() throws IOException {
        write("io", 0, 1_000_000);
        write("cpu", 0, 5_000_000);
        LinuxPressure pressure = new LinuxPressure(folder, timers.clock());
        assertThat(pressure.percent()).isZero();

        timers.advance(Duration.ofSeconds(1));
        write("cpu", 3, 5_400_000);
        assertThat(pressure.percent()).isCloseTo(40, within(0.01));

        timers.advance(Duration.ofMillis(100));
        assertThat(pressure.percent()).as("too soon to tell").isCloseTo(40, within(0.01));

        timers.advance(Duration.ofSeconds(1));
        assertThat(pressure.percent()).as("of the last ten seconds").isEqualTo(3);
    }

    @Test
    void shouldTellOfNoneWhereTheKernelKeepsNoFigures() {
        assertThat(new LinuxPressure(folder.resolve("absent"), timers.clock()).percent())
                .isZero();
    }

    private void write(String what, int average, long total) throws IOException {
        Files.writeString(
                folder.resolve(what), "some avg10=%d.00 avg60=1.00 avg300=0.10 total=%d\n".formatted(average, total));
    }
}
