package org.beefs.simulator.hive;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.replica.LocalHoneycomb;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.HoneycombSpace;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ScrubReport;
import org.jspecify.annotations.Nullable;

/**
 * A honeycomb that tells the queen-bee of less space than it has. So she makes room there, and no operation fails
 * meanwhile for lack of it.
 *
 * @param capacity bytes
 */
record SmallHoneycomb(LocalHoneycomb real, long capacity) implements LocalHoneycomb {
    @Override
    public CompletableFuture<HoneycombOffer> offer(@Nullable InetAddress from) {
        return real.offer(from)
                .thenApply(offer ->
                        offer.toBuilder().setSpace(lessened(offer.getSpace())).build());
    }

    @Override
    public boolean extendLease(long until) {
        return real.extendLease(until);
    }

    @Override
    public CompletableFuture<Boolean> registered(long until, HoneycombOffer offer, List<ReplicaName> lost) {
        return real.registered(until, offer, lost);
    }

    @Override
    public HoneycombSpace space() {
        return lessened(real.space());
    }

    @Override
    public long marked() {
        return real.marked();
    }

    @Override
    public ScrubReport scrub() {
        return real.scrub();
    }

    @Override
    public long available() {
        return space().getAvailable();
    }

    @Override
    public CompletableFuture<List<ReplicaName>> inventory(@Nullable ReplicaName after, int limit) {
        return real.inventory(after, limit);
    }

    @Override
    public CompletableFuture<DesktopReply> serve(DesktopRequest request) {
        return real.serve(request);
    }

    private HoneycombSpace lessened(HoneycombSpace space) {
        return space.toBuilder()
                .setCapacity(capacity)
                .setAvailable(Math.max(0, capacity - space.getUsed()))
                .build();
    }
}
