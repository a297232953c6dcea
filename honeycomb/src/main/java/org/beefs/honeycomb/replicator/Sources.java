package org.beefs.honeycomb.replicator;

import com.google.protobuf.ByteString;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.beefs.common.rpc.RpcEnvironment;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.ReplicaPlace;

/** The honeycombs that one request fetches from, with a connection to each. Thread-safe. */
final class Sources implements AutoCloseable {
    private final Hello hello;
    private final RpcEnvironment environment;

    // Guarded by this.
    private final Map<ByteString, Source> connected = new HashMap<>();
    private boolean closed;

    Sources(Hello hello, RpcEnvironment environment) {
        this.hello = hello;
        this.environment = environment;
    }

    synchronized Source of(ReplicaPlace place) {
        Source source =
                connected.computeIfAbsent(place.getHoneycomb(), unknown -> new Source(place, hello, environment));
        if (closed) {
            source.close();
        }
        return source;
    }

    @Override
    public void close() {
        List<Source> all;
        synchronized (this) {
            closed = true;
            all = List.copyOf(connected.values());
        }
        all.forEach(Source::close);
    }
}
