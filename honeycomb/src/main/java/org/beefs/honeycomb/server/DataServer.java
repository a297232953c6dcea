package org.beefs.honeycomb.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.NavigableMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.beefs.common.metrics.MeasuredService;
import org.beefs.common.rpc.Link;
import org.beefs.common.rpc.Network;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.time.Clock;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.Hello;
import org.beefs.honeycomb.pace.Pace;
import org.beefs.honeycomb.records.RecordKeeper;
import org.beefs.honeycomb.store.ReplicaStore;

/** Listens for honeybees. Thread-safe. */
public final class DataServer implements AutoCloseable {
    /** How long a stop waits for answers that are under way. */
    private static final Duration ANSWERS = Duration.ofSeconds(3);

    /** How long it waits for a desktop that knows that no more come: one that sleeps, or is older, does not say so. */
    private static final Duration LEAVE = Duration.ofSeconds(1);

    private final DataOperations operations;
    private final Sessions sessions = new Sessions();
    private final Backlog unwritten = new Backlog(Backlog.MOST_UNWRITTEN);
    private final Backlog unsent = new Backlog(Backlog.MOST_UNSENT);
    private final AtomicLong lastConnection = new AtomicLong();
    private final NavigableMap<Long, RpcConnection> open = new ConcurrentSkipListMap<>();
    private final Network.Server server;
    private final Traffic traffic = new Traffic();
    private final Clock clock;
    private final Timers timers;
    private final Hello hello;
    private final Executor disk;
    private volatile boolean stopping;

    /**
     * Begins to listen.
     *
     * @param pace at which others may copy from here in the background
     * @param hello our greeting; it also says whose honeycomb this is
     * @param disk where requests are carried out; rejects what is too much
     */
    public DataServer(
            ReplicaStore store,
            RecordKeeper records,
            Pace pace,
            Network network,
            InetSocketAddress address,
            Clock clock,
            Timers timers,
            Hello hello,
            Executor disk)
            throws IOException {
        this.operations = new DataOperations(store, records, pace);
        this.clock = clock;
        this.timers = timers;
        this.hello = hello;
        this.disk = disk;
        this.server = network.listen(address, this::accept);
    }

    private Link.Listener accept(Link link) {
        long number = lastConnection.incrementAndGet();
        DataService service = new DataService(operations, sessions, unwritten, new Unsent(unsent), disk, number);
        RpcConnection connection =
                new RpcConnection(link, timers, hello, _ -> new MeasuredService<>(service, clock, traffic));
        open.put(number, connection);
        connection.onClose(() -> open.remove(number));
        if (stopping) { // looked at after the put: whoever stops finds the connection itself
            takeLeave(connection);
        }
        return connection;
    }

    /** The address really listened at. */
    public InetSocketAddress address() {
        return server.address();
    }

    /** Requests of other desktops. */
    public Traffic traffic() {
        return traffic;
    }

    /**
     * Takes no more requests, and answers those that it has taken, so that desktops know what has become of each. Done
     * when all have heard that, or at most 3 s later; then this can be closed.
     */
    public CompletableFuture<Void> stop() {
        server.refuse();
        stopping = true;
        CompletableFuture<Void> left = CompletableFuture.allOf(
                open.values().stream().map(this::takeLeave).toArray(CompletableFuture<?>[]::new));
        Timers.Timer limit = timers.schedule(ANSWERS, () -> left.complete(null));
        return left.whenComplete((_, _) -> limit.cancel());
    }

    private CompletableFuture<Void> takeLeave(RpcConnection connection) {
        CompletableFuture<Void> left = new CompletableFuture<>();
        connection.onClose(() -> left.complete(null));
        connection.takeLeave("the honeycomb stops", () -> {
            Timers.Timer limit = timers.schedule(LEAVE, () -> left.complete(null));
            left.whenComplete((_, _) -> limit.cancel());
        });
        return left;
    }

    @Override
    public void close() {
        server.close();
    }
}
