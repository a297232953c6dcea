package org.beefs.cli.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.beefs.cli.Main;
import org.beefs.cli.control.FakeDaemon;
import org.beefs.cli.process.FakeHive;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands that are ended from outside while they work, or wait. */
@Timeout(120)
class InterruptAtExitTest {
    /** Less than the program waits for one that has files to remove and does not end, and far more than any takes. */
    private static final long DEADLINE_SECONDS = 18;

    @TempDir
    private Path temporary;

    private @Nullable Process program;

    @AfterEach
    void kill() {
        if (program != null) {
            program.destroyForcibly();
        }
    }

    /** By SIGTERM, which does what Ctrl-C does: that is ignored by what runs in the background of a shell. */
    @Test
    void shouldEndTheProgramWhenItHasRemovedItsFiles() throws Exception {
        Process benchmark = start("bench", "smallfiles", temporary.toString(), "--files", "1000000");
        try (BufferedReader messages = benchmark.errorReader()) {
            assertThat(messages.readLine()).contains("warm-up");

            benchmark.toHandle().destroy();

            assertThat(benchmark.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(messages.lines()).last().isEqualTo("beefs: the benchmark was interrupted");
        }
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void shouldSayWhatIsLeftWhenThereIsNoTimeToRemoveIt() {
        ByteArrayOutputStream messages = new ByteArrayOutputStream();

        InterruptAtExit.interrupt(new Thread(), Duration.ZERO, "the folder bench-7", new PrintStream(messages, true));

        assertThat(messages.toString(StandardCharsets.UTF_8)).contains("remove the folder bench-7");
    }

    @Test
    void shouldSayNothingOfWhatIsLeftWhereNothingWasMade() {
        ByteArrayOutputStream messages = new ByteArrayOutputStream();

        InterruptAtExit.interrupt(new Thread(), Duration.ZERO, "", new PrintStream(messages, true));

        assertThat(messages.size()).isZero();
    }

    @Test
    void shouldSayThatReplicasAreReadOn() throws Exception {
        try (FakeHive hive = new FakeHive(temporary)) {
            FakeDaemon desktop = hive.desktop("desktop1");
            CountDownLatch looks = new CountDownLatch(2);
            desktop.whenTold("scrub", () -> {
                desktop.stayInRound();
                desktop.whenTold("status", looks::countDown);
            });

            assertThat(lastWordOf(looks, "scrub"))
                    .isEqualTo("beefs: interrupted; desktop1's replicas are read on all the same");
        }
    }

    @Test
    void shouldSayThatADesktopIsDrainedAllTheSame() throws Exception {
        try (FakeHive hive = new FakeHive(temporary)) {
            FakeDaemon queenBee = hive.queenBee();
            queenBee.drainForEver();
            CountDownLatch looks = new CountDownLatch(2);
            queenBee.whenTold("status", looks::countDown);

            assertThat(lastWordOf(looks, "drain", "desktop1"))
                    .isEqualTo("beefs: interrupted; the desktop is drained all the same");
        }
    }

    @Test
    void shouldSayHowToStopADrillThatGoesOn() throws Exception {
        try (FakeHive hive = new FakeHive(temporary)) {
            FakeDaemon queenBee = hive.queenBee();
            CountDownLatch looks = new CountDownLatch(3);
            queenBee.answer("/api/v1/recovery/drill", """
                    {"state": "running", "summary": "", "millis": 0, "done": 1, "all": 2,
                     "read": [], "away": [], "damaged": []}""");
            queenBee.whenTold("/api/v1/recovery/drill", looks::countDown);

            assertThat(lastWordOf(looks, "recover", "--drill"))
                    .isEqualTo("beefs: interrupted; the drill goes on: beefs recover --drill --cancel stops it");
        }
    }

    /** Of a command that is ended when it has looked so often how far it is. */
    private String lastWordOf(CountDownLatch looks, String... command) throws Exception {
        Process waiting = start(Stream.of(List.of(command), List.of("--state", temporary.toString()))
                .flatMap(List::stream)
                .toArray(String[]::new));
        try (BufferedReader messages = waiting.errorReader()) {
            assertThat(looks.await(DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();

            waiting.toHandle().destroy();

            assertThat(waiting.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
            return messages.lines().reduce("", (_, last) -> last);
        }
    }

    private Process start(String... arguments) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName());
        builder.command().addAll(List.of(arguments));
        program = builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        return program;
    }
}
