package org.beefs.queenbee.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.beefs.common.config.Addresses;
import org.beefs.common.file.Draft;
import org.beefs.common.linux.SystemClock;
import org.beefs.common.metrics.OperationTimes;
import org.beefs.common.rpc.Network;
import org.beefs.common.rpc.NoService;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.rpc.tcp.TcpNetwork;
import org.beefs.common.time.Clock;
import org.beefs.common.time.SystemTimers;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.Hello;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.journal.RocksStateStore;
import org.beefs.queenbee.journal.StateException;
import org.beefs.queenbee.memory.MemoryRoom;
import org.beefs.queenbee.testing.ListedRecords;
import org.beefs.queenbee.testing.TcpCatalog;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a recovery is made, and when not. */
class RecoveringServerTest {
    private static final InetSocketAddress NOBODY = Addresses.parse("127.0.0.1:1");
    private static final int TIMEOUT = 30;

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

    /** Her disk may not be mounted; then desktops would be told of an empty hive. */
    @Test
    void shouldMakeNoNewHiveWhereTheStateOfHersIsMissing() throws IOException {
        QueenBeeServer.open(world()).close();
        Path state = folder.resolve("data");
        Path kept = Files.move(state, folder.resolve("kept"));

        assertThatThrownBy(() -> QueenBeeServer.open(world()))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("look whether its disk is mounted")
                .hasMessageContaining(StateException.RESTORE);
        assertThat(state).doesNotExist();

        Files.move(kept, state);
        QueenBeeServer.open(world()).close();
    }

    @Test
    void shouldMakeANewHiveThereOnPurpose() throws IOException {
        QueenBeeServer.open(world()).close();
        Files.move(folder.resolve("data"), folder.resolve("kept"));
        Files.delete(folder.resolve("state-place"));

        QueenBeeServer.open(world()).close();
        assertThat(folder.resolve("data")).isNotEmptyDirectory();
    }

    /** Else it would be taken for that of the one that goes on, or has failed. */
    @Test
    void shouldRemoveTheReportOfAnEarlierRecoveryWhenItBegins() throws IOException {
        Path report = Files.writeString(folder.resolve("recovery.txt"), "all was rebuilt");
        try (Network.Server unusable = honeycombOfAnotherVersion()) {
            assertThatThrownBy(() -> RecoveringServer.open(world(), plan(unusable.address())))
                    .isInstanceOf(IOException.class);
        }
        assertThat(report).doesNotExist();
    }

    /** Else she would serve what was rebuilt, and nobody would hear what is missing. */
    @Test
    void shouldNotCountAsRecoveredWithoutItsReport() throws IOException {
        Path report = folder.resolve("recovery.txt");
        Path obstacle = Files.createDirectories(
                folder.resolve("recovery.txt" + Draft.SUFFIX).resolve("obstacle"));
        try (TcpCatalog catalog = catalog()) {
            assertThatThrownBy(() -> RecoveringServer.open(world(), plan(catalog.address())))
                    .isInstanceOf(IOException.class);
            assertThat(RocksStateStore.isRecovered(world().state())).isFalse();

            Files.delete(obstacle);
            RecoveringServer.open(world(), plan(catalog.address())).close();
            assertThat(report).content().contains("inodes were found");
        }
    }

    @Test
    void shouldKeepTheReportOfWhatWasRecoveredBefore() throws IOException {
        makeRecovered();
        Path report = Files.writeString(folder.resolve("recovery.txt"), "all was rebuilt");
        recover().close();
        assertThat(report).exists();
    }

    /** Without the thread that waits for the others she would serve what is known by half for ever, or nothing. */
    @Test
    void shouldEndTheProcessWhenADefectEndsTheWaitingForOtherHoneycombs() throws IOException {
        BreakableClock clock = new BreakableClock();
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        try (TcpCatalog catalog = catalog();
                Network.Server missing = honeycombOfAnotherVersion();
                ListeningQueenBee readOnly = RecoveringServer.open(
                        world(clock),
                        new RecoveryPlan(List.of(catalog.address(), missing.address()), Set.of(), true),
                        new MemoryRoom(1 << 30, () -> 0),
                        (what, defect) -> end.complete(defect))) {
            assertThat(folder.resolve("data.read-only")).exists();
            clock.broken = true;
            assertThat(end.orTimeout(TIMEOUT, TimeUnit.SECONDS).join()).hasMessage(BreakableClock.DEFECT);
            assertThat(readOnly.address().getPort()).isPositive();
        }
    }

    /**
     * Another try would fill it again, and serve nothing meanwhile; a supervisor starts a process that may have more.
     */
    @Test
    void shouldEndTheProcessWithASentenceWhenItsMemoryIsFullAtLast() throws IOException {
        AtomicInteger percentUsed = new AtomicInteger();
        CompletableFuture<String> end = new CompletableFuture<>();
        try (TcpCatalog catalog = catalog();
                TcpCatalog late = catalog()) {
            late.setUsable(false);
            List<InetSocketAddress> both = List.of(catalog.address(), late.address());
            try (ListeningQueenBee readOnly = RecoveringServer.open(
                    world(),
                    new RecoveryPlan(both, Set.of(), true),
                    new MemoryRoom(1 << 30, percentUsed::get),
                    (what, _) -> end.complete(what))) {
                assertThat(readOnly.address().getPort()).isPositive();
                percentUsed.set(MemoryRoom.SCARCE_PERCENT);
                late.setUsable(true);

                assertThat(end.orTimeout(TIMEOUT, TimeUnit.SECONDS).join())
                        .contains("have filled the 1024 MB of memory that the recovery has");
            }
        }
    }

    /** Else the hive would be served, and told to those who come later, without what only these know. */
    @Test
    void shouldNotServeAHiveOfWhichAHoneycombWasForgotten() throws IOException {
        try (TcpCatalog catalog = catalogOfOneOfTwo()) {
            assertThatThrownBy(() -> RecoveringServer.open(world(), plan(catalog.address())))
                    .isInstanceOf(StateException.class)
                    .hasMessageContaining("other");
            RecoveringServer.open(world(), new RecoveryPlan(List.of(catalog.address()), Set.of("other"), false))
                    .close();
            assertThat(folder.resolve("recovery.txt")).content().contains("not asked: other");
        }
    }

    /** Those that cannot be reached yet may be the ones that were not asked; if these are more, some were forgotten. */
    @Test
    void shouldServeReadOnlyOnlyIfAsManyAreOutstandingAsWereNotAsked() throws IOException {
        try (TcpCatalog catalog = catalogOfOneOfTwo();
                Network.Server missing = honeycombOfAnotherVersion()) {
            List<InetSocketAddress> both = List.of(catalog.address(), missing.address());
            RecoveringServer.open(world(), new RecoveryPlan(both, Set.of(), true))
                    .close();
            assertThat(folder.resolve("data.read-only")).exists();
        }
    }

    /** It may stay so: until somebody does something about it, reading goes on. */
    @Test
    void shouldGoOnServingReadOnlyWhenItTurnsOutThatAHoneycombWasForgotten() throws IOException {
        ListedRecords records = recordsOfOneOfTwo();
        try (TcpCatalog catalog = new TcpCatalog(network, timers, records);
                TcpCatalog same = new TcpCatalog(network, timers, records)) {
            same.setUsable(false);
            List<InetSocketAddress> both = List.of(catalog.address(), same.address());
            try (ListeningQueenBee readOnly = RecoveringServer.open(world(), new RecoveryPlan(both, Set.of(), true))) {
                same.setUsable(true);
                same.whenItWasAsked().orTimeout(TIMEOUT, TimeUnit.SECONDS).join();

                assertThat(readOnly.ask(_ -> "served")).succeedsWithin(Duration.ofSeconds(TIMEOUT));
            }
        }
    }

    /** Of forty desktops that are to be switched on one hears at once which. */
    @Test
    void shouldNameAllHoneycombsThatCannotBeReached() throws IOException {
        try (Network.Server one = honeycombOfAnotherVersion();
                Network.Server other = honeycombOfAnotherVersion()) {
            assertThatThrownBy(() -> RecoveringServer.open(world(), plan(one.address(), other.address())))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(Addresses.format(one.address()))
                    .hasMessageContaining(Addresses.format(other.address()));
        }
    }

    private TcpCatalog catalogOfOneOfTwo() throws IOException {
        return new TcpCatalog(network, timers, recordsOfOneOfTwo());
    }

    private static ListedRecords recordsOfOneOfTwo() {
        TestHive hive = new TestHive();
        TestDesktop desktop = new TestDesktop(hive, "desk").registered();
        new TestDesktop(hive, "other").registered();
        hive.advance(Duration.ofSeconds(20));
        return ListedRecords.of(desktop);
    }

    /** For one that answers, and is not waited for. */
    private Network.Server honeycombOfAnotherVersion() throws IOException {
        return network.listen(
                Addresses.parse("127.0.0.1:0"),
                link -> new RpcConnection(
                        link, timers, Hello.getDefaultInstance(), _ -> new NoService<>(DataRequest.parser())));
    }

    private TcpCatalog catalog() throws IOException {
        TestHive hive = new TestHive();
        TestDesktop desktop = new TestDesktop(hive, "desk").registered();
        hive.advance(Duration.ofSeconds(20));
        return new TcpCatalog(network, timers, ListedRecords.of(desktop));
    }

    /** What a recovery leaves that was interrupted after its last change was on disk. */
    private void makeRecovered() throws IOException {
        try (RocksStateStore store = RocksStateStore.openForRecovery(world().state())) {
            new TestHive(store).queenBee().close();
        }
        RocksStateStore.openInterim(folder.resolve("data.read-only")).close();
    }

    private ListeningQueenBee recover() throws IOException {
        return RecoveringServer.open(world(), plan(NOBODY));
    }

    private static RecoveryPlan plan(InetSocketAddress... honeycombs) {
        return new RecoveryPlan(List.of(honeycombs), Set.of(), false);
    }

    private ServerWorld world() {
        return world(new SystemClock());
    }

    private ServerWorld world(Clock clock) {
        return new ServerWorld(
                folder,
                QueenBeeConfig.of("127.0.0.1:0", Path.of("data")),
                clock,
                timers,
                network,
                new Random(1),
                new OperationTimes<>());
    }

    private static final class BreakableClock implements Clock {
        static final String DEFECT = "broken for the test";

        private final Clock clock = new SystemClock();
        private volatile boolean broken;

        @Override
        public long bootNanos() {
            boolean isRecovery = Thread.currentThread().getName().equals("beefs-recovery");
            if (broken && isRecovery) {
                throw new IllegalStateException(DEFECT);
            }
            return clock.bootNanos();
        }

        @Override
        public Instant now() {
            return clock.now();
        }
    }
}
