package org.beefs.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.beefs.cli.control.ControlServer;
import org.beefs.cli.control.FakeDaemon;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.ProcessFolder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hive whose desktop's daemon is another process, which this one answers for. */
class HiveTest {
    @TempDir
    private Path temporary;

    private Hive hive;
    private ProcessFolder desktop;
    private Process daemon;

    /** Null while the daemon is not ready. */
    private @Nullable ControlServer server;

    @BeforeEach
    void startADaemonThatIsNotReady() throws IOException {
        HiveFolder folder = new HiveFolder(temporary);
        hive = new Hive(folder, Map.of());
        desktop = folder.desktop("desktop1");
        desktop.create();
        daemon = new ProcessBuilder("sleep", "600").start();
        ProcessIdentity identity =
                ProcessIdentity.of(Path.of("/proc"), daemon.pid()).orElseThrow();
        Files.writeString(desktop.pid(), identity.toString());
    }

    @AfterEach
    void end() {
        daemon.destroyForcibly();
        if (server != null) {
            server.close();
        }
    }

    @Test
    void shouldWaitForADaemonThatIsStarting() {
        OnAwaiting whenReady = new OnAwaiting(this::listen);

        hive.start(List.of(desktop), whenReady);

        assertThat(whenReady.awaited).isTrue();
    }

    @Test
    void shouldNotWaitForADaemonThatIsReady() {
        listen();
        OnAwaiting never = new OnAwaiting(() -> {});

        hive.start(List.of(desktop), never);

        assertThat(never.awaited).isFalse();
    }

    @Test
    void shouldStartADaemonThatEndsInsteadOfGettingReady() {
        OnAwaiting whenEnded = new OnAwaiting(() -> daemon.destroyForcibly());

        assertThatThrownBy(() -> hive.start(List.of(desktop), whenEnded)).hasMessage("starting desktop1");
    }

    /** The first that is started is the queen-bee: nobody knows with which flags the desktop ran. */
    @Test
    void shouldNotStartADesktopWithoutConfigurationToRecover() throws InterruptedException {
        daemon.destroyForcibly().waitFor();

        assertThatThrownBy(() -> hive.recover(List.of(), new OnAwaiting(() -> {}), _ -> {}))
                .hasMessage("starting queenbee");
    }

    @Test
    void shouldStartADesktopWithConfigurationToRecover() throws Exception {
        daemon.destroyForcibly().waitFor();
        Files.createFile(desktop.configuration());

        assertThatThrownBy(() -> hive.recover(List.of(), new OnAwaiting(() -> {}), _ -> {}))
                .hasMessage("starting desktop1");
    }

    /** As the daemon does when it is ready. */
    private void listen() {
        server = ControlServer.open(desktop.control(), new FakeDaemon(), (_, _) -> () -> {});
    }

    /** What happens to the daemon while it is waited for. */
    private static final class OnAwaiting implements Hive.Starts {
        private final Runnable event;
        private boolean awaited;

        OnAwaiting(Runnable event) {
            this.event = event;
        }

        @Override
        public void awaiting(ProcessFolder daemon) {
            awaited = true;
            event.run();
        }

        @Override
        public void starting(ProcessFolder daemon) {
            throw new IllegalStateException("starting " + daemon.name());
        }

        @Override
        public void ready(ProcessFolder daemon) {}
    }
}
