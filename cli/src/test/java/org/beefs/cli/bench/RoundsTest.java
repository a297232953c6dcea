package org.beefs.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.beefs.cli.process.ProcessUsage;
import org.beefs.cli.program.CommandFailure;
import org.beefs.common.time.Clock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoundsTest {
    private static final String BUILD = "test -x sub/script && cp data copied";

    @TempDir
    Path folder = Path.of("");

    private final List<String> progress = new ArrayList<>();
    private final List<Path> dropped = new ArrayList<>();
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
        Measurements measurements = measure(andrew(BUILD), 3, one, other);

        assertThat(measurements.phases())
                .containsExactly("Mkdir", "Copy", "Stat cold", "Grep cold", "Stat", "Grep", "Compile");
        for (Place place : measurements.places()) {
            for (String phase : measurements.phases()) {
                assertThat(seconds(measurements.of(place, phase))).containsExactly(1.0, 1.0, 1.0);
            }
            assertThat(seconds(measurements.totals(place))).containsExactly(7.0, 7.0, 7.0);
        }
    }

    @Test
    void shouldLetAnotherDirectoryBeginEachRound() throws Exception {
        measure(andrew(BUILD), 2, one, other);

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
    void shouldDropCachesBeforeEachColdPhaseOnly() throws Exception {
        measure(andrew(""), 2, one);

        assertThat(dropped).containsExactly(one, one, one, one);
        assertThat(progress).doesNotContain("warm-up (not counted), " + one + ": Stat cold");
    }

    @Test
    void shouldMeasureWhatTheDaemonsOfAPlaceHaveUsed() throws Exception {
        Measurements measurements = measure(andrew(""), 1, one);

        Place place = measurements.places().getFirst();
        Measured copy = measurements.of(place, "Copy").getFirst();
        assertThat(copy).isEqualTo(new Measured(1, 2, 3, 1 << 20));
        Measured total = measurements.totals(place).getFirst();
        assertThat(total).isEqualTo(new Measured(6, 12, 18, 1 << 20));
    }

    @Test
    void shouldMeasureWhatProgramsDoToATree() throws Exception {
        try (Workload tree = TreeWorkload.prepare(SourceTree.scan(source))) {
            Measurements measurements = measure(tree, 1, one, other);

            assertThat(measurements.phases())
                    .startsWith("Tar", "Copy", "Find cold", "Grep cold", "Find", "Grep", "Remove");
            assertThat(one).isEmptyDirectory();
            assertThat(BenchReport.of(tree.subject(), 2, measurements).render())
                    .contains("2 rounds" + System.lineSeparator())
                    .contains("Remove");
        }
    }

    @Test
    void shouldDoToATreeWhatItSays() throws Exception {
        try (TreeWorkload tree = TreeWorkload.prepare(SourceTree.scan(source))) {
            for (Phase phase : tree.phases()) {
                if (phase.title().equals("Remove")) {
                    assertThat(one.resolve("copy/data")).hasContent("12345");
                    assertThat(one.resolve("tar/sub/script")).isExecutable();
                }
                phase.work().in(one);
            }
            assertThat(one.resolve("copy")).doesNotExist();
            assertThat(one.resolve("clone").toFile().exists()).isEqualTo(tree.git());
        }
    }

    @Test
    void shouldMeasureWhatNamesCost() throws Exception {
        Workload files = new SmallFilesWorkload(3);

        Measurements measurements = measure(files, 2, one, other);

        assertThat(measurements.phases())
                .containsExactly("Create", "List cold", "List", "Stat", "Open", "Unlink", "Cycle", "Cycle by 2");
        assertThat(one).isEmptyDirectory();
        assertThat(BenchReport.of(files.subject(), 2, measurements).render())
                .contains("empty files: 0 folders, 3 files")
                .contains("Unlink");
    }

    @Test
    void shouldMeasureWhatBytesCost() throws Exception {
        Workload bytes = new BytesWorkload(2 << 20);

        Measurements measurements = measure(bytes, 1, one, other);

        assertThat(one).isEmptyDirectory();
        assertThat(BenchReport.of(bytes.subject(), 1, measurements).render())
                .contains("1 files, 2.1 MB")
                .contains("Write 4K random by 2");
    }

    @Test
    void shouldWriteAndReadAllOfAFile() throws Exception {
        BytesWorkload bytes = new BytesWorkload(4 << 20);

        for (Phase phase : bytes.phases()) {
            phase.work().in(one);
            assertThat(one.resolve("file")).hasSize(4 << 20);
        }
        Files.write(one.resolve("file"), new byte[1]);
        Phase read = bytes.phases().stream()
                .filter(phase -> phase.title().equals("Read 128K"))
                .findFirst()
                .orElseThrow();
        assertThatThrownBy(() -> read.work().in(one)).hasMessageContaining("shorter");
    }

    @Test
    void shouldLeaveNothingBehind() throws Exception {
        measure(andrew(BUILD), 1, one);
        assertThat(one).isEmptyDirectory();
    }

    @Test
    void shouldSayWhyTheBuildFailedAndLeaveNothingBehind() {
        Workload andrew = andrew("echo the compiler is ill; exit 3");

        assertThatThrownBy(() -> measure(andrew, 1, one))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("ended with 3")
                .hasMessageContaining("the compiler is ill");
        assertThat(one).isEmptyDirectory();
    }

    @Test
    void shouldReportMediansAndRatios() throws Exception {
        Workload andrew = andrew(BUILD);
        Measurements measurements = measure(andrew, 1, one, other);
        Place place = measurements.places().getLast();
        measurements.add(place, "Copy", new Measured(3, 0, 0, 0));
        measurements.add(place, "Copy", new Measured(3, 0, 0, 0));

        BenchReport report = BenchReport.of(andrew.subject(), 1, measurements);

        assertThat(report.folders()).isEqualTo(1);
        assertThat(report.files()).isEqualTo(3);
        assertThat(report.bytes()).isEqualTo(15);
        assertThat(report.render()
                        .lines()
                        .filter(line -> line.startsWith("Copy"))
                        .map(line -> line.replaceAll(" +", " ")))
                .containsExactly(
                        "Copy " + one + " 1.000 1.000 1.000 0% 1.00 2.000 3 1",
                        "Copy " + other + " 3.000 1.000 3.000 67% 3.00 0.000 0 0");
    }

    private Workload andrew(String build) {
        return new AndrewWorkload(SourceTree.scan(source), build);
    }

    private Measurements measure(Workload workload, int rounds, Path... directories)
            throws IOException, InterruptedException {
        List<Place> places = Stream.of(directories)
                .<Place>map(directory -> new BusyPlace(directory, dropped))
                .toList();
        return new Rounds(new TickingClock(), workload.phases(), progress::add).measure(places, rounds);
    }

    private static List<Double> seconds(List<Measured> measured) {
        return measured.stream().map(Measured::seconds).toList();
    }

    /** Behind it is a daemon that uses 2 s of processor and 3 switches between two looks. */
    private static final class BusyPlace implements Place {
        private final Path directory;
        private final List<Path> dropped;
        private int looks;

        BusyPlace(Path directory, List<Path> dropped) {
            this.directory = directory;
            this.dropped = dropped;
        }

        @Override
        public Path directory() {
            return directory;
        }

        @Override
        public void dropCaches() {
            dropped.add(directory);
        }

        @Override
        public ProcessUsage usage() {
            looks++;
            return new ProcessUsage(
                    Map.of(1L, new ProcessUsage.OfThread("main", 2_000_000_000L * looks, 3L * looks)), 1 << 20);
        }

        @Override
        public boolean hasDaemons() {
            return true;
        }
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
