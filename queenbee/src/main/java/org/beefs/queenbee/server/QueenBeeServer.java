package org.beefs.queenbee.server;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.beefs.common.linux.MachineStart;
import org.beefs.common.metrics.MeasuredService;
import org.beefs.common.metrics.OperationTimes;
import org.beefs.common.rpc.Link;
import org.beefs.common.rpc.Network;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.time.ProductionOnly;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.queenbee.journal.RocksStateStore;
import org.beefs.queenbee.journal.StateStore;
import org.beefs.queenbee.memory.HeapUse;
import org.beefs.queenbee.operations.QueenState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A queen-bee that listens: its state on disk, its passes, its connections. */
@ProductionOnly
public final class QueenBeeServer implements ListeningQueenBee {
    /** The namespace has one thread, and it serves the connections too. */
    public static final int NETWORK_THREADS = 1;

    private static final Logger LOG = LoggerFactory.getLogger(QueenBeeServer.class);

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
     * Loads the state, or makes a new hive in an empty folder, and serves it. Fails with one line for people when the
     * state cannot be used or the address is taken.
     */
    public static QueenBeeServer open(ServerWorld world) throws IOException {
        QueenBeeServer opened = open(world, world.config().listen());
        return opened.after(() -> RecoveringServer.forget(world));
    }

    /** What is done last of a start. */
    private interface Last {
        void run() throws IOException;
    }

    private QueenBeeServer after(Last last) throws IOException {
        try {
            last.run();
            return this;
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    static QueenBeeServer open(ServerWorld world, InetSocketAddress address) throws IOException {
        StatePlace place = new StatePlace(world);
        place.check();
        QueenBeeServer opened = open(world, world.state(), address, "");
        return opened.after(place::remember);
    }

    /**
     * Opens a state and serves it.
     *
     * @param state its folder
     * @param readOnly why nothing may be changed; empty if it may
     */
    static QueenBeeServer open(ServerWorld world, Path state, InetSocketAddress address, String readOnly)
            throws IOException {
        StateStore store = RocksStateStore.open(state);
        ExecutorService flusher = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name("beefs-journal").daemon().factory());
        NamespaceLoop loop = new NamespaceLoop(world.network().thread());
        try {
            QueenBeeEnvironment environment = new QueenBeeEnvironment(
                    world.clock(),
                    world.timers(),
                    world.random(),
                    MachineStart.of(state, world.random()),
                    HeapUse.room(),
                    flusher,
                    QueenBeeServer::halt);
            QueenBee queenBee = new QueenBee(world.config(), store, environment, loop::wake, readOnly);
            Network.Server server = world.network()
                    .listen(address, world.config().maxConnections(), link -> connection(link, world, queenBee));
            loop.start(queenBee);
            LOG.info("the queen-bee listens at {}", server.address());
            return new QueenBeeServer(store, flusher, queenBee, loop, server);
        } catch (IOException | RuntimeException e) {
            flusher.shutdownNow();
            store.close();
            throw e;
        }
    }

    @Override
    public InetSocketAddress address() {
        return server.address();
    }

    @Override
    public ByteString hive() {
        return queenBee.state().hive();
    }

    @Override
    public <T> CompletableFuture<T> ask(Function<QueenState, T> question) {
        return queenBee.ask(question);
    }

    @Override
    public CompletableFuture<QueenReply> request(QueenRequest request) {
        return queenBee.request(request);
    }

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

    private static Link.Listener connection(Link link, ServerWorld world, QueenBee queenBee) {
        return new RpcConnection(
                link,
                world.timers(),
                hello(),
                connection -> new MeasuredService<>(
                        queenBee.serve(connection),
                        world.clock(),
                        (request, nanos, _, _) -> count(world.times(), request.getOperationCase(), nanos)));
    }

    /** Counts a request, unless it is a heartbeat, for which no program waits. */
    private static void count(OperationTimes<OperationCase> times, OperationCase operation, long nanos) {
        if (operation != OperationCase.HEARTBEAT) {
            times.took(operation, nanos);
        }
    }

    /** Her greeting to those with whom she connects. */
    public static Hello hello() {
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

    /** Ends the process at once: an orderly end would try to write again. */
    static void halt(String what, Throwable cause) {
        LOG.error("the queen-bee ends: {}", what, cause);
        Runtime.getRuntime().halt(70);
    }
}
