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
import java.util.concurrent.TimeUnit;
import org.beefs.cli.Main;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A benchmark that is ended from outside while it works. */
@Timeout(120)
class InterruptAtExitTest {
    /** Less than the program waits for a command that does not end, and far more than it takes. */
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
