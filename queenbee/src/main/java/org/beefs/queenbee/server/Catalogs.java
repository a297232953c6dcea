package org.beefs.queenbee.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.config.Addresses;
import org.beefs.common.posix.Failures;
import org.beefs.common.rpc.Network;
import org.beefs.common.time.Clock;
import org.beefs.common.time.ProductionOnly;
import org.beefs.common.time.Timers;
import org.beefs.queenbee.recovery.RemoteRecords;

/** Connections with those of the named honeycombs that can be reached, to read their catalogs. Not thread-safe. */
@ProductionOnly
final class Catalogs implements AutoCloseable {
    private final List<RemoteRecords> reached = new ArrayList<>();
    private final List<InetSocketAddress> missing = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    private Catalogs() {}

    /** Tries to reach honeycombs, all at once: most desktops may be off, and each takes a while not to answer. */
    record Search(Network network, Timers timers, Clock clock, List<InetSocketAddress> honeycombs) {
        /**
         * Done when each has answered, or has not in this time.
         *
         * @param patience each is tried once at least
         */
        CompletableFuture<Catalogs> all(Duration patience) {
            List<CompletableFuture<RemoteRecords>> begun = connect(patience);
            return over(begun).thenApply(_ -> {
                Catalogs catalogs = new Catalogs();
                for (int i = 0; i < begun.size(); i++) {
                    catalogs.add(honeycombs.get(i), begun.get(i));
                }
                return catalogs;
            });
        }

        /** Whether any catalog answers now; completed by the first that does. */
        CompletableFuture<Boolean> any() {
            CompletableFuture<Boolean> answered = new CompletableFuture<>();
            List<CompletableFuture<RemoteRecords>> begun = connect(Duration.ZERO);
            begun.forEach(one -> one.thenAccept(records -> {
                records.close();
                answered.complete(true);
            }));
            over(begun).thenAccept(_ -> answered.complete(false));
            return answered;
        }

        private List<CompletableFuture<RemoteRecords>> connect(Duration patience) {
            return honeycombs.stream()
                    .map(address -> RemoteRecords.connect(
                            address, network, timers, clock, QueenBeeServer.hello(), patience, honeycombs.size()))
                    .toList();
        }

        private static CompletableFuture<?> over(List<CompletableFuture<RemoteRecords>> begun) {
            return CompletableFuture.allOf(begun.toArray(CompletableFuture[]::new))
                    .handle((_, _) -> null);
        }
    }

    private void add(InetSocketAddress address, CompletableFuture<RemoteRecords> over) {
        if (over.isCompletedExceptionally()) {
            missing.add(address);
            failures.add(Failures.unwrap(over.exceptionNow()).getMessage());
        } else {
            reached.add(over.join());
        }
    }

    /** Fails with a sentence for people when some of them could not be reached: why the first one, and which others. */
    void requireAll() throws IOException {
        if (!areAll()) {
            String others =
                    missing.size() == 1 ? "" : ". Nor can be reached: " + names(missing.subList(1, missing.size()));
            throw new IOException(failures.getFirst() + others);
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
