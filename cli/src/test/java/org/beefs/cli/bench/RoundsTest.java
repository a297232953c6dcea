package org.beefs.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.beefs.cli.CommandFailure;
import org.beefs.common.time.Clock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoundsTest {
    private static final BuildCommand BUILD = new BuildCommand("test -x sub/script && cp data copied");

    @TempDir
    Path folder = Path.of("");

    private final List<String> progress = new ArrayList<>();
    private Path source = Path.of("");
    private Path one = Path.of("");
    private Path other = Path.of("");

    @BeforeEach
    void makeSource() throws IOException {
        source = Files.createDirectory(folder.resolve("source"));
        one = Files.createDirectory(folder.resolve("one"));
        other = Files.createDirectory(folder.resolve("other"));
        Files.writeString(source.resolve("data"), "12345");
        Files.createDirectory(source.resolve("sub"));
        Path script = Files.writeString(source.resolve("sub/script"), "#!/bin/sh\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        Files.createSymbolicLink(source.resolve("link"), Path.of("data"));
    }

    @Test
    void shouldMeasureEachPhaseInEachDirectoryInEachRound() throws Exception {
        Measurements measurements = rounds(andrew(BUILD)).measure(List.of(one, other), 3);

        for (Path directory : List.of(one, other)) {
            for (Phase phase : TreeWorkload.ANDREW) {
                assertThat(measurements.of(directory, phase)).containsExactly(1.0, 1.0, 1.0);
            }
            assertThat(measurements.totals(directory)).containsExactly(5.0, 5.0, 5.0);
        }
    }

    @Test
    void shouldLetAnotherDirectoryBeginEachRound() throws Exception {
        rounds(andrew(BUILD)).measure(List.of(one, other), 2);

        assertThat(progress.stream().filter(line -> line.endsWith("Mkdir")))
                .containsExactly(
                        "warm-up (not counted), " + one + ": Mkdir",
                        "warm-up (not counted), " + other + ": Mkdir",
                        "round 1 of 2, " + one + ": Mkdir",
                        "round 1 of 2, " + other + ": Mkdir",
                        "round 2 of 2, " + other + ": Mkdir",
                        "round 2 of 2, " + one + ": Mkdir");
    }

    @Test
    void shouldMeasureMakingAndRemovingATree() throws Exception {
        Workload tree = new TreeWorkload(SourceTree.scan(source), TreeWorkload.TREE, BuildCommand.NONE);

        Measurements measurements = rounds(tree).measure(List.of(one, other), 2);

        assertThat(measurements.phases()).isEqualTo(TreeWorkload.TREE);
        assertThat(measurements.of(other, Phase.REMOVE)).containsExactly(1.0, 1.0);
        assertThat(measurements.totals(one)).containsExactly(5.0, 5.0);
        assertThat(one).isEmptyDirectory();
        assertThat(BenchReport.of(tree.subject(), 2, measurements).render())
                .contains("2 rounds" + System.lineSeparator())
                .contains("Remove");
    }

    @Test
    void shouldMeasureWhatNamesCost() throws Exception {
        Workload files = new SmallFilesWorkload(3);

        Measurements measurements = rounds(files).measure(List.of(one, other), 2);

        assertThat(measurements.phases()).containsExactly(Phase.CREATE, Phase.STAT, Phase.OPEN, Phase.UNLINK);
        assertThat(measurements.of(other, Phase.CREATE)).containsExactly(1.0, 1.0);
        assertThat(one).isEmptyDirectory();
        assertThat(BenchReport.of(files.subject(), 2, measurements).render())
                .contains("empty files: 0 folders, 3 files")
                .contains("Unlink");
    }

    @Test
    void shouldMeasureWhatBytesCost() throws Exception {
        Workload bytes = new BytesWorkload(2 << 20);

        Measurements measurements = rounds(bytes).measure(List.of(one, other), 1);

        assertThat(measurements.totals(other)).containsExactly(4.0);
        assertThat(one).isEmptyDirectory();
        assertThat(BenchReport.of(bytes.subject(), 1, measurements).render())
                .contains("1 files, 2.1 MB")
                .contains("Random write");
    }

    @Test
    void shouldWriteAndReadAllOfAFile() throws Exception {
        BytesWorkload bytes = new BytesWorkload(3 << 20);

        bytes.run(Phase.WRITE, one);
        bytes.run(Phase.RANDOM_WRITE, one);

        assertThat(one.resolve("file")).hasSize(3 << 20);
        Files.write(one.resolve("file"), new byte[1]);
        assertThatThrownBy(() -> bytes.run(Phase.READ, one)).hasMessageContaining("shorter");
    }

    @Test
    void shouldLeaveNothingBehind() throws Exception {
        rounds(andrew(BUILD)).measure(List.of(one), 1);
        assertThat(one).isEmptyDirectory();
    }

    @Test
    void shouldSayWhyTheBuildFailedAndLeaveNothingBehind() {
        Rounds andrew = rounds(andrew(new BuildCommand("echo the compiler is ill; exit 3")));

        assertThatThrownBy(() -> andrew.measure(List.of(one), 1))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("ended with 3")
                .hasMessageContaining("the compiler is ill");
        assertThat(one).isEmptyDirectory();
    }

    @Test
    void shouldReportMediansAndRatios() throws Exception {
        Workload andrew = andrew(BUILD);
        Measurements measurements = rounds(andrew).measure(List.of(one, other), 1);
        measurements.add(other, Phase.COPY, 3);
        measurements.add(other, Phase.COPY, 3);

        BenchReport report = BenchReport.of(andrew.subject(), 1, measurements);

        assertThat(report.folders()).isEqualTo(1);
        assertThat(report.files()).isEqualTo(3);
        assertThat(report.bytes()).isEqualTo(15);
        assertThat(report.render()
                        .lines()
                        .filter(line -> line.startsWith("Copy"))
                        .map(line -> line.replaceAll(" +", " ")))
                .containsExactly(
                        "Copy " + one + " 1.000 1.000 1.000 0% 1.00", "Copy " + other + " 3.000 1.000 3.000 67% 3.00");
    }

    private Workload andrew(BuildCommand build) {
        return new TreeWorkload(SourceTree.scan(source), TreeWorkload.ANDREW, build);
    }

    private Rounds rounds(Workload workload) {
        return new Rounds(new TickingClock(), workload, progress::add);
    }

    /** Goes on by a second whenever somebody looks at it. */
    private static final class TickingClock implements Clock {
        private long nanos;

        @Override
        public long bootNanos() {
            nanos += 1_000_000_000;
            return nanos;
        }

        @Override
        public Instant now() {
            throw new AssertionError("durations are measured with the boot clock");
        }
    }
}
