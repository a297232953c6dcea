package org.beefs.cli.daemon;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.HoneycombSpace;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ScrubReport;
import org.beefs.common.wire.UserActivity;
import org.beefs.common.wire.WakeAddresses;
import org.beefs.honeybee.queen.LocalHoneycomb;
import org.beefs.honeycomb.Honeycomb;
import org.jspecify.annotations.Nullable;

/**
 * Connects the session with the queen-bee and the honeycomb, which know nothing of each other. Thread-safe.
 *
 * @param wake how the desktop is woken; asked at each registration
 */
public record SessionHoneycomb(Honeycomb honeycomb, Supplier<Optional<WakeAddresses>> wake) implements LocalHoneycomb {
    @Override
    public CompletableFuture<HoneycombOffer> offer(@Nullable InetAddress from) {
        return honeycomb
                .offer(from)
                .thenApply(offer -> wake.get()
                        .map(addresses -> offer.toBuilder().setWake(addresses).build())
                        .orElse(offer));
    }

    @Override
    public boolean extendLease(long until) {
        return honeycomb.extendLease(until);
    }

    @Override
    public CompletableFuture<Boolean> registered(long until, HoneycombOffer offer, List<ReplicaName> lost) {
        return honeycomb.registered(until, offer, lost);
    }

    @Override
    public HoneycombSpace space() {
        return honeycomb.space();
    }

    @Override
    public Duration paused() {
        return honeycomb.paused();
    }

    @Override
    public UserActivity userActivity() {
        return honeycomb.userActivity();
    }

    @Override
    public long traffic() {
        return honeycomb.traffic().received() + honeycomb.traffic().sent();
    }

    @Override
    public long marked() {
        return honeycomb.marked();
    }

    @Override
    public ScrubReport scrub() {
        return honeycomb.scrubber().report();
    }

    @Override
    public long available() {
        return honeycomb.available();
    }

    @Override
    public CompletableFuture<List<ReplicaName>> replicas(@Nullable ReplicaName after, int limit) {
        return honeycomb.maintenance().inventory(after, limit);
    }

    @Override
    public CompletableFuture<DesktopReply> serve(DesktopRequest request) {
        return honeycomb.maintenance().handle(request);
    }
}
