package org.beefs.cli.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.beefs.cli.control.ControlRequest.ApiCall;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.WantedMount;
import org.beefs.common.time.Timers;
import org.beefs.honeybee.mount.Driver;
import org.beefs.honeybee.trace.TraceAnswer;
import org.beefs.honeybee.trace.TraceQuestion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class ControlSocketTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int MORE_THAN_THE_KERNEL_KEEPS = 8 << 20;
    private static final Timers NEVER = (_, _) -> () -> {};

    @TempDir
    private Path temporary;

    private final FakeDaemon daemon = new FakeDaemon();
    private ProcessFolder folder;
    private ControlServer server;

    @BeforeEach
    void open() {
        folder = new HiveFolder(temporary).desktop("desktop1");
        folder.create();
        server = ControlServer.open(folder.control(), daemon, NEVER);
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void shouldAnswerItsStatus() throws IOException {
        assertThat(client().status(PATIENCE)).isEqualTo(daemon.status());
    }

    @Test
    void shouldMountAndUnmount() throws IOException {
        WantedMount wanted = new WantedMount("/mnt/é", true, true, Driver.JNR);

        assertThat(client().mount(wanted, PATIENCE)).contains("it is slow");
        client().umount(wanted.place(), PATIENCE);

        assertThat(daemon.calls()).containsExactly("mount " + wanted, "umount /mnt/é");
    }

    /** Whoever completes what a virtual thread waits for may start a thread for it, which has the starter's mounts. */
    @Test
    void shouldMountOnAThreadOfThePlatform() throws IOException {
        WantedMount wanted = WantedMount.at("/mnt");
        AtomicBoolean virtual = new AtomicBoolean(true);
        daemon.whenTold(
                "mount " + wanted, () -> virtual.set(Thread.currentThread().isVirtual()));

        client().mount(wanted, PATIENCE);

        assertThat(virtual).isFalse();
    }

    /** As the status of a queen-bee with thousands of desktops. */
    @Test
    void shouldAnswerMuch() throws IOException {
        String name = "b".repeat(3 << 20);
        daemon.answer("/api/v1/much", "{\"name\": \"" + name + "\"}");
        ApiCall call = new ApiCall("GET", "/api/v1/much", Map.of(), "{}", null);

        assertThat(client().api(call, PATIENCE).get("name").asString()).isEqualTo(name);
    }

    @Test
    void shouldPassOnWhyItRefuses() {
        daemon.refuse(new CommandFailure(ExitCode.FOLDER, "no room at the inn"));

        assertThatThrownBy(() -> client().mount(WantedMount.at("/mnt"), PATIENCE))
                .isInstanceOfSatisfying(
                        CommandFailure.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.FOLDER))
                .hasMessage("no room at the inn");
    }

    @Test
    void shouldBeOpenToItsOwnerOnly() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.control())))
                .isEqualTo("rw-------");
    }

    @Test
    void shouldHangUpOnWhoSpeaksAnotherLanguageAndGoOn() throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(folder.control()))) {
            channel.write(ByteBuffer.wrap("GET / HTTP/1.1\n".getBytes(StandardCharsets.US_ASCII)));
            assertThat(channel.read(ByteBuffer.allocate(10))).isEqualTo(-1);
        }
        assertThat(client().answers(PATIENCE)).isTrue();
    }

    /** As a tool does that was updated before its daemon: that does answer. */
    @ParameterizedTest
    @ValueSource(strings = {"{\"operation\":\"DANCE\"}", "{\"operation\":\"MOUNT\",\"driver\":\"MAGIC\"}", "{}"})
    void shouldTellAToolOfAnotherVersionThatItDoesNotKnowWhatIsAsked(String question) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(folder.control()))) {
            channel.write(ByteBuffer.wrap((question + '\n').getBytes(StandardCharsets.UTF_8)));

            ControlReply reply = JsonLine.read(channel, ControlReply.class, JsonLine.MOST_OF_ANSWER);

            assertThat(reply.exitCode()).isEqualTo(ExitCode.VERSION);
            assertThat(reply.failure())
                    .startsWith("this daemon is BeeFS")
                    .contains("does not know what is asked; restart it");
        }
        assertThat(daemon.calls()).isEmpty();
    }

    @Test
    void shouldHangUpOnWhoDoesNotReadTheAnswer() throws Exception {
        ProcessFolder large = new HiveFolder(temporary).desktop("large");
        large.create();
        BlockingQueue<Runnable> hangUps = new LinkedBlockingQueue<>();
        Timers soon = (_, task) -> {
            hangUps.add(task);
            return () -> hangUps.remove(task);
        };
        daemon.refuse(new CommandFailure(ExitCode.FOLDER, "x".repeat(MORE_THAN_THE_KERNEL_KEEPS)));
        try (ControlServer _ = ControlServer.open(large.control(), daemon, soon);
                SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(large.control()))) {
            Runnable beforeTheRequest = take(hangUps);
            JsonLine.write(channel, ControlRequest.mount(WantedMount.at("/mnt")));
            Runnable beforeTheAnswer = take(hangUps);

            beforeTheAnswer.run();

            assertThat(beforeTheAnswer).isNotSameAs(beforeTheRequest);
            assertThat(Channels.newInputStream(channel).readAllBytes().length).isLessThan(MORE_THAN_THE_KERNEL_KEEPS);
        }
    }

    private static Runnable take(BlockingQueue<Runnable> hangUps) throws InterruptedException {
        return Objects.requireNonNull(hangUps.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS), "hanging up is planned");
    }

    @Test
    void shouldTakeOverTheSocketFileOfADeadProcess() {
        ControlServer successor = ControlServer.open(folder.control(), daemon, NEVER);

        assertThat(client().answers(PATIENCE)).isTrue();
        successor.close();
    }

    @Test
    void shouldWorkBelowPathsThatAreTooLongForTheKernel() throws IOException {
        ProcessFolder deep =
                new HiveFolder(temporary.resolve("a".repeat(100)).resolve("b".repeat(100))).desktop("desktop1");
        deep.create();
        try (ControlServer _ = ControlServer.open(deep.control(), daemon, NEVER)) {
            assertThat(new ControlClient(deep).status(PATIENCE)).isEqualTo(daemon.status());
        }
    }

    @Test
    void shouldNotWaitForADaemonThatDoesNotAnswer() throws IOException {
        ProcessFolder hung = new HiveFolder(temporary).desktop("hung");
        hung.create();
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(hung.control()));
            assertThatThrownBy(() -> new ControlClient(hung).status(Duration.ofMillis(50)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("did not answer");
        }
    }

    /** As when the process has too many open files: more often than tools may be connected at a time. */
    @Test
    void shouldAnswerAgainAfterConnectionsCouldNotBeTaken() throws IOException {
        ProcessFolder busy = new HiveFolder(temporary).desktop("busy");
        busy.create();
        AtomicInteger failures = new AtomicInteger(ControlServer.MAX_CONNECTIONS + 1);
        ControlServer.Acceptor door = listener -> {
            if (failures.getAndDecrement() > 0) {
                throw new IOException("Too many open files");
            }
            return listener.accept();
        };
        try (ControlServer _ = ControlServer.open(busy.control(), door, daemon, NEVER)) {
            assertThat(new ControlClient(busy).answers(PATIENCE)).isTrue();
        }
    }

    @Test
    void shouldCallTheRestInterface() throws IOException {
        JsonNode reply = client().api(new ApiCall("GET", "/api/v1/hive", Map.of("a", "b"), "", null), PATIENCE);

        assertThat(reply.get("called").asString()).isEqualTo("GET /api/v1/hive");
        assertThat(reply.get("by").asString())
                .as("whoever runs this test")
                .isEqualTo(Files.getOwner(folder.control()).getName());
    }

    @Test
    void shouldTellWhatATraceHasSeen() throws IOException {
        TraceAnswer answer = client().trace(new TraceQuestion(1, List.of("a", "b"), 0, 100), PATIENCE);

        assertThat(answer.leftOut()).isEqualTo(3);
        assertThat(daemon.calls()).containsExactly("trace [a, b]");
    }

    @Test
    void shouldNotAnswerWithoutDaemon() {
        assertThat(new ControlClient(new HiveFolder(temporary).desktop("absent")).answers(PATIENCE))
                .isFalse();
    }

    private ControlClient client() {
        return new ControlClient(folder);
    }
}
