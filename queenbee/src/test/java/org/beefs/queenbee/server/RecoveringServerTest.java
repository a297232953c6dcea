package org.beefs.queenbee.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.beefs.common.config.Addresses;
import org.beefs.common.metrics.OperationTimes;
import org.beefs.common.rpc.TcpNetwork;
import org.beefs.common.time.SystemClock;
import org.beefs.common.time.SystemTimers;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.journal.RocksStateStore;
import org.beefs.queenbee.journal.StateException;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a recovery is made, and when not. */
class RecoveringServerTest {
    private final TcpNetwork network = new TcpNetwork(QueenBeeServer.NETWORK_THREADS);
    private final SystemTimers timers = new SystemTimers();

    @TempDir
    private Path folder;

    @AfterEach
    void stopThreads() {
        network.close();
        timers.close();
    }

    @Test
    void shouldServeWhatWasRecoveredBeforeHoweverOftenItIsStarted() throws IOException {
        makeRecovered();
        recover().close();
        recover().close();
    }

    /** Else a copy that is made from then on, and put back one day, would be served as recovered. */
    @Test
    void shouldRefuseToRecoverOverWhatHasBeenServedWithoutRecovery() throws IOException {
        makeRecovered();
        QueenBeeServer.open(world()).close();

        assertThatThrownBy(this::recover).isInstanceOf(StateException.class).hasMessageContaining("move it away");
    }

    @Test
    void shouldStillCountAsRecoveredWhenAnOrdinaryStartHasFailed() throws IOException {
        makeRecovered();
        try (ListeningQueenBee running = recover()) {
            assertThatThrownBy(() -> QueenBeeServer.open(world())).hasMessageContaining("another queen-bee uses it");
            assertThat(RocksStateStore.isRecovered(world().state())).isTrue();
            assertThat(running.address().getPort()).isPositive();
        }
    }

    @Test
    void shouldRemoveWhatWasServedReadOnlyBeforeTheRecoveryEnded() throws IOException {
        makeRecovered();
        recover().close();
        assertThat(folder.resolve("data.read-only")).doesNotExist();
    }

    @Test
    void shouldRemoveThatAlsoWhenStartedWithoutRecovery() throws IOException {
        makeRecovered();
        QueenBeeServer.open(world()).close();
        assertThat(folder.resolve("data.read-only")).doesNotExist();
    }

    /** What a recovery leaves that was interrupted after its last change was on disk. */
    private void makeRecovered() throws IOException {
        try (RocksStateStore store = RocksStateStore.openForRecovery(world().state())) {
            new TestHive(store).queenBee().close();
        }
        RocksStateStore.openInterim(folder.resolve("data.read-only")).close();
    }

    private ListeningQueenBee recover() throws IOException {
        return RecoveringServer.open(world(), List.of(Addresses.parse("127.0.0.1:1")), false);
    }

    private ServerWorld world() {
        return new ServerWorld(
                folder,
                QueenBeeConfig.of("127.0.0.1:0", Path.of("data")),
                new SystemClock(),
                timers,
                network,
                new Random(1),
                new OperationTimes<>());
    }
}
