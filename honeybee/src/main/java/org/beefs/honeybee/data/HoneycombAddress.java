package org.beefs.honeybee.data;

import com.google.protobuf.ByteString;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.config.Addresses;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.GetStatuses;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.ReplicaPlace;
import org.beefs.common.wire.ReplicaTarget;
import org.jspecify.annotations.Nullable;

/**
 * Where one honeycomb listens. That changes when its daemon starts anew, or its desktop is in another network, and its
 * address may pass to another desktop. So each attempt to connect but the first has the queen-bee asked; the next
 * attempt then uses her answer. Thread-safe. At most one question is under way.
 */
final class HoneycombAddress {
    private final ByteString honeycomb;
    private final LongFunction<CompletableFuture<Layout>> layouts;

    // Guarded by this.
    private @Nullable InetSocketAddress address;
    private String desktop;
    private long inode;
    private boolean used;
    private boolean asking;
    private Duration away = Duration.ZERO;

    /**
     * @param known where it was last
     * @param inode a file that has a replica there
     * @param layouts asks the queen-bee for the present layout of an inode
     */
    HoneycombAddress(ReplicaPlace known, long inode, LongFunction<CompletableFuture<Layout>> layouts) {
        this.honeycomb = known.getHoneycomb();
        this.layouts = layouts;
        this.desktop = known.getDesktop();
        this.inode = inode;
        this.address = parse(known.getAddress());
    }

    /** The honeycomb's UUID. */
    ByteString honeycomb() {
        return honeycomb;
    }

    /** The honeycomb's desktop, for messages to people. */
    synchronized String desktop() {
        return desktop;
    }

    /** A file that is wanted from there: the queen-bee is asked about the honeycomb by way of it. */
    synchronized void wanted(long other) {
        inode = other;
    }

    /** A question that any honeycomb answers, if only by refusing it. */
    synchronized DataRequest anyStatus() {
        return DataRequest.newBuilder()
                .setGetStatuses(GetStatuses.newBuilder()
                        .addTargets(ReplicaTarget.newBuilder().setInode(inode)))
                .build();
    }

    /**
     * For how long the queen-bee has missed the honeycomb, as she said when she was asked last; zero while she does not
     * answer, or has not been asked.
     */
    synchronized Duration away() {
        return away;
    }

    /** Where to connect; null when the queen-bee has not said yet. */
    @Nullable
    InetSocketAddress next() {
        InetSocketAddress next;
        long about;
        boolean asks;
        synchronized (this) {
            next = address;
            about = inode;
            asks = (used || next == null) && !asking;
            asking |= asks;
            used = true;
            if (asks) {
                away = Duration.ZERO;
            }
        }
        if (asks) {
            Futures.attempt(() -> layouts.apply(about)).whenComplete((layout, failure) -> answered(layout));
        }
        return next;
    }

    private synchronized void answered(@Nullable Layout layout) {
        asking = false;
        if (layout != null && layout.getHoneycomb().equals(honeycomb)) {
            learned(layout.getAddress(), layout.getDesktop());
            away = Duration.ofSeconds(layout.getAwaySeconds());
        } else if (layout != null) {
            layout.getSecondariesList().stream()
                    .filter(place -> place.getHoneycomb().equals(honeycomb))
                    .forEach(place -> learned(place.getAddress(), place.getDesktop()));
        }
    }

    private synchronized void learned(String at, String on) {
        if (!at.isEmpty()) {
            address = parse(at);
            desktop = on;
        }
    }

    private static @Nullable InetSocketAddress parse(String address) {
        return address.isEmpty() ? null : Addresses.parse(address);
    }
}
