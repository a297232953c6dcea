package org.beefs.queenbee.recovery;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.beefs.common.config.Addresses;
import org.beefs.common.posix.Failures;
import org.beefs.common.rpc.tcp.TcpNetwork;
import org.beefs.common.time.Clock;
import org.beefs.common.time.ProductionOnly;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.Hello;

/** Catalogs over the network, on a thread of its own: what comes from them is not decoded on the namespace thread. */
@ProductionOnly
public final class RemoteCatalogs implements CatalogAccess {
    private final TcpNetwork network;
    private final List<RemoteRecords> reached = new ArrayList<>();
    private final Timers timers;
    private final Clock clock;
    private final Hello hello;

    /** @param network its own, which it closes */
    public RemoteCatalogs(TcpNetwork network, Timers timers, Clock clock, Hello hello) {
        this.network = network;
        this.timers = timers;
        this.clock = clock;
        this.hello = hello;
    }

    @Override
    public RecordSource connect(String address, ByteString honeycomb, int catalogs) throws IOException {
        RemoteRecords records = reach(parse(address), catalogs);
        reached.add(records);
        records.check(honeycomb);
        return records;
    }

    private RemoteRecords reach(InetSocketAddress address, int catalogs) throws IOException {
        try {
            return RemoteRecords.connect(address, network, timers, clock, hello, Duration.ZERO, catalogs)
                    .join();
        } catch (CompletionException e) {
            throw new IOException(Failures.unwrap(e).getMessage(), e);
        }
    }

    private static InetSocketAddress parse(String address) throws IOException {
        try {
            return Addresses.parse(address);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        reached.forEach(RemoteRecords::close);
        network.close();
    }
}
