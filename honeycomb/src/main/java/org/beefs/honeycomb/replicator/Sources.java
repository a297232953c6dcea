package org.beefs.honeycomb.replicator;

import com.google.protobuf.ByteString;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.beefs.common.rpc.RpcEnvironment;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.ReplicaPlace;

/**
 * The honeycombs that one request fetches from, each with a connection, and with what has turned out about it.
 * Thread-safe.
 */
final class Sources implements AutoCloseable {
    private final Hello hello;
    private final RpcEnvironment environment;
    private final long end;

    // Guarded by this.
    private final Map<ByteString, Source> connected = new HashMap<>();
    private final Map<ByteString, Window> windows = new HashMap<>();
    private boolean closed;

    /** @param end of the request, by the boot clock */
    Sources(Hello hello, RpcEnvironment environment, long end) {
        this.hello = hello;
        this.environment = environment;
        this.end = end;
    }

    synchronized Source of(ReplicaPlace place) {
        Source source = connected.computeIfAbsent(
                place.getHoneycomb(), unknown -> new Source(place, hello, environment, window(place), end));
        if (closed) {
            source.close();
        }
        return source;
    }

    /** How much content to ask of one at a time. */
    synchronized Window window(ReplicaPlace place) {
        return windows.computeIfAbsent(place.getHoneycomb(), unknown -> new Window(environment.clock()));
    }

    /** Whether there are some, and none could be reached. */
    synchronized boolean areUnreachable(List<ReplicaPlace> places) {
        return !places.isEmpty() && places.stream().allMatch(this::isUnreachable);
    }

    private boolean isUnreachable(ReplicaPlace place) {
        Source source = connected.get(place.getHoneycomb());
        return source != null && source.unreachable() != null;
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
