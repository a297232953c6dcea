package org.beefs.honeycomb.server;

import java.io.IOException;
import java.net.InetSocketAddress;
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
    private final DataOperations operations;
    private final Sessions sessions = new Sessions();
    private final Backlog backlog = new Backlog();
    private final AtomicLong connections = new AtomicLong();
    private final Network.Server server;
    private final Traffic traffic = new Traffic();
    private final Clock clock;
    private final Timers timers;
    private final Hello hello;
    private final Executor disk;

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
        DataService service = new DataService(operations, sessions, backlog, disk, connections.incrementAndGet());
        return new RpcConnection(link, timers, hello, connection -> new MeasuredService<>(service, clock, traffic));
    }

    /** The address really listened at. */
    public InetSocketAddress address() {
        return server.address();
    }

    /** Requests of other desktops. */
    public Traffic traffic() {
        return traffic;
    }

    @Override
    public void close() {
        server.close();
    }
}
