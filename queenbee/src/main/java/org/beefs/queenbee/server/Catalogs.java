package org.beefs.queenbee.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.beefs.common.config.Addresses;
import org.beefs.common.time.ProductionOnly;
import org.beefs.queenbee.recovery.RemoteRecords;
import org.jspecify.annotations.Nullable;

/** Connections with those of the named honeycombs that can be reached, to read their catalogs. Not thread-safe. */
@ProductionOnly
final class Catalogs implements AutoCloseable {
    private final List<RemoteRecords> reached = new ArrayList<>();
    private final List<InetSocketAddress> missing = new ArrayList<>();
    private @Nullable IOException firstFailure;

    private Catalogs() {}

    /** @param patience for all of them together; each is tried once at least */
    static Catalogs connect(ServerWorld world, List<InetSocketAddress> honeycombs, Duration patience) {
        Catalogs catalogs = new Catalogs();
        long end = world.clock().bootNanos() + patience.toNanos();
        for (InetSocketAddress address : honeycombs) {
            catalogs.connect(world, address, end, honeycombs.size());
        }
        return catalogs;
    }

    private void connect(ServerWorld world, InetSocketAddress address, long end, int all) {
        Duration left = Duration.ofNanos(end - world.clock().bootNanos());
        try {
            reached.add(RemoteRecords.connect(
                    address, world.network(), world.timers(), world.clock(), QueenBeeServer.hello(), left, all));
        } catch (IOException e) {
            missing.add(address);
            firstFailure = firstFailure == null ? e : firstFailure;
        }
    }

    /** Fails with a sentence for people when some of them could not be reached: why the first one, and which others. */
    void requireAll() throws IOException {
        IOException failure = firstFailure;
        if (failure != null) {
            throw missing.size() == 1
                    ? failure
                    : new IOException(
                            "%s. Nor can be reached: %s"
                                    .formatted(failure.getMessage(), names(missing.subList(1, missing.size()))),
                            failure);
        }
    }

    boolean areAll() {
        return missing.isEmpty();
    }

    List<RemoteRecords> reached() {
        return reached;
    }

    List<InetSocketAddress> missing() {
        return missing;
    }

    /** Addresses of the missing, for people. */
    String missingNames() {
        return names(missing);
    }

    private static String names(List<InetSocketAddress> addresses) {
        return String.join(", ", addresses.stream().map(Addresses::format).toList());
    }

    @Override
    public void close() {
        reached.forEach(RemoteRecords::close);
    }
}
