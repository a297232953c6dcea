package org.beefs.queenbee.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.random.RandomGenerator;
import org.beefs.common.config.Addresses;
import org.beefs.common.rpc.Link;
import org.beefs.common.rpc.Network;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.time.Clock;
import org.beefs.common.time.ProductionOnly;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.Hello;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.journal.FatalHandler;
import org.beefs.queenbee.journal.RocksStateStore;
import org.beefs.queenbee.journal.StateStore;
import org.beefs.queenbee.recovery.HiveRecovery;
import org.beefs.queenbee.recovery.RecoveryReport;
import org.beefs.queenbee.recovery.RemoteRecords;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A queen-bee that listens: its state on disk, its thread, its connections. */
@ProductionOnly
public final class QueenBeeServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(QueenBeeServer.class);

    /** How long a recovery waits for honeycombs that may just be starting. */
    private static final Duration HONEYCOMB_START = Duration.ofSeconds(30);

    private final StateStore store;
    private final ExecutorService flusher;
    private final QueenBee queenBee;
    private final NamespaceLoop loop;
    private final Network.Server server;

    private QueenBeeServer(
            StateStore store, ExecutorService flusher, QueenBee queenBee, NamespaceLoop loop, Network.Server server) {
        this.store = store;
        this.flusher = flusher;
        this.queenBee = queenBee;
        this.loop = loop;
        this.server = server;
    }

    /**
     * Loads the state, or makes a new hive in an empty folder, and serves it. Fails with one line for people when the state
     * cannot be used or the address is taken.
     *
     * @param folder where the state's folder is, if its path is relative
     */
    public static QueenBeeServer open(
            Path folder, QueenBeeConfig config, Clock clock, Timers timers, Network network, RandomGenerator random)
            throws IOException {
        return open(folder, config, clock, timers, network, random, QueenBeeServer::halt);
    }

    /**
     * Rebuilds the state in an empty folder from the records of honeycombs. Does nothing when that was done before: a supervisor
     * may start it with the same words again.
     *
     * @param honeycombs where they listen
     */
    public static void recover(
            Path folder,
            QueenBeeConfig config,
            Clock clock,
            Timers timers,
            Network network,
            List<InetSocketAddress> honeycombs)
            throws IOException {
        Path state = folder.resolve(config.state());
        if (RocksStateStore.isRecovered(state)) {
            LOG.info("recovery: {} was recovered before", state);
            return;
        }
        List<RemoteRecords> sources = new ArrayList<>();
        try (RocksStateStore store = RocksStateStore.openForRecovery(state)) {
            for (InetSocketAddress address : honeycombs) {
                sources.add(RemoteRecords.connect(address, network, timers, clock, hello(), HONEYCOMB_START));
            }
            RecoveryReport report = HiveRecovery.run(store, clock, sources);
            report.lines().forEach(line -> LOG.info("recovery: {}", line));
            Files.write(folder.resolve("recovery.txt"), report.lines());
        } finally {
            sources.forEach(RemoteRecords::close);
        }
    }

    static QueenBeeServer open(
            Path folder,
            QueenBeeConfig config,
            Clock clock,
            Timers timers,
            Network network,
            RandomGenerator random,
            FatalHandler fatal)
            throws IOException {
        InetSocketAddress address = Addresses.parse(config.listen());
        StateStore store = RocksStateStore.open(folder.resolve(config.state()));
        ExecutorService flusher = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name("beefs-journal").daemon().factory());
        NamespaceLoop loop = new NamespaceLoop();
        try {
            QueenBeeEnvironment environment = new QueenBeeEnvironment(clock, timers, random, flusher, fatal);
            QueenBee queenBee = new QueenBee(config, store, environment, loop::wake);
            Network.Server server = network.listen(address, link -> connection(link, timers, queenBee));
            loop.start(queenBee);
            LOG.info("the queen-bee listens at {}", server.address());
            return new QueenBeeServer(store, flusher, queenBee, loop, server);
        } catch (IOException | RuntimeException e) {
            flusher.shutdownNow();
            store.close();
            throw e;
        }
    }

    /** The address really listened at. */
    public InetSocketAddress address() {
        return server.address();
    }

    /** Stops serving; everything that was answered is on disk afterwards. */
    @Override
    public void close() {
        server.close();
        queenBee.close();
        loop.close();
        flusher.close();
        try {
            store.sync();
        } catch (IOException e) {
            LOG.error("the journal could not be brought to disk at the end", e);
        } finally {
            store.close();
        }
    }

    private static Link.Listener connection(Link link, Timers timers, QueenBee queenBee) {
        return new RpcConnection(link, timers, hello(), queenBee::serve);
    }

    private static Hello hello() {
        return Hello.newBuilder()
                .setProtocol(RpcConnection.PROTOCOL)
                .setProgram(program())
                .setRole("queenbee")
                .build();
    }

    private static String program() {
        String version = QueenBeeServer.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    /** Without ceremony: an orderly end would try to write again. */
    private static void halt(String what, Throwable cause) {
        LOG.error("the queen-bee ends: {}", what, cause);
        Runtime.getRuntime().halt(70);
    }
}
