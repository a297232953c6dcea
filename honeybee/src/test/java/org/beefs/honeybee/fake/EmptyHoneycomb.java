package org.beefs.honeybee.fake;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.replica.LocalHoneycomb;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.HoneycombSpace;
import org.beefs.common.wire.ReplicaName;
import org.jspecify.annotations.Nullable;

/** A honeycomb with nothing in it, and much room, unless a test says otherwise. */
public class EmptyHoneycomb implements LocalHoneycomb {
    @Override
    public CompletableFuture<HoneycombOffer> offer(@Nullable InetAddress from) {
        return CompletableFuture.completedFuture(HoneycombOffer.getDefaultInstance());
    }

    @Override
    public boolean extendLease(long until) {
        return true;
    }

    @Override
    public CompletableFuture<Boolean> registered(long until, HoneycombOffer offer, List<ReplicaName> lost) {
        return CompletableFuture.completedFuture(true);
    }

    @Override
    public HoneycombSpace space() {
        return HoneycombSpace.getDefaultInstance();
    }

    @Override
    public long available() {
        return 1L << 40;
    }

    @Override
    public CompletableFuture<List<ReplicaName>> inventory(@Nullable ReplicaName after, int limit) {
        return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public CompletableFuture<DesktopReply> serve(DesktopRequest request) {
        return CompletableFuture.completedFuture(DesktopReply.getDefaultInstance());
    }
}
