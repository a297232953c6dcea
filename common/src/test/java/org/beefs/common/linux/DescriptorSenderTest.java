package org.beefs.common.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DescriptorSenderTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String PYTHON = "/usr/bin/python3";

    private static final String SEND = """
            import os, socket, sys
            print('it works', file=sys.stderr, flush=True)
            channel = socket.socket(fileno=int(os.environ['CHANNEL']))
            socket.send_fds(channel, [b'x'], [os.open(sys.argv[1], os.O_RDONLY)])
            """;

    @TempDir
    private Path folder;

    @Test
    void shouldReceiveTheDescriptorAndWhatTheProgramSays() throws IOException {
        assumeThat(Path.of(PYTHON)).isExecutable();
        Path file = Files.writeString(folder.resolve("file"), "text");

        DescriptorSender.Sent sent = run(PYTHON, "-c", SEND, file.toString());

        assertThat(sent.errors()).isEqualTo("it works");
        int descriptor = sent.descriptor().orElseThrow();
        assertThat(Path.of("/proc/self/fd/" + descriptor).toRealPath()).isEqualTo(file.toRealPath());
        Libc.close(descriptor);
    }

    @Test
    void shouldGiveNothingOfAProgramThatFails() throws IOException {
        DescriptorSender.Sent sent = run("sh", "-c", "echo 'not for you' >&2; exit 1");

        assertThat(sent.descriptor()).isEmpty();
        assertThat(sent.errors()).isEqualTo("not for you");
    }

    @Test
    void shouldSayThatThereIsNoSuchProgram() {
        assertThatThrownBy(() -> run("no-such-program"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("there is no no-such-program");
    }

    @Test
    void shouldEndAProgramThatDoesNotEnd() {
        assertEnded("exec sleep 1000");
    }

    @Test
    void shouldEndAProgramThatTalksForLongerThanItMayTake() {
        assertEnded("for i in 1 2 3 4 5 6 7 8 9 10; do echo . >&2; sleep 0.5; done");
    }

    @Test
    void shouldEndAProgramThatGoesOnWithoutTheSocket() {
        assertEnded("exec 2>&-; exec sleep 20");
    }

    private static void assertEnded(String script) {
        assertThatThrownBy(() -> DescriptorSender.run(List.of("sh", "-c", script), "CHANNEL", Duration.ofSeconds(1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("did not end in time");
        assertThat(ProcessHandle.current().children()).isEmpty();
    }

    private static DescriptorSender.Sent run(String... command) throws IOException {
        return DescriptorSender.run(List.of(command), "CHANNEL", PATIENCE);
    }
}
