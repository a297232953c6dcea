package org.beefs.cli.daemon;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.HoneycombSpace;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.ReplicaName;
import org.beefs.honeybee.queen.LocalHoneycomb;
import org.beefs.honeycomb.Honeycomb;
import org.jspecify.annotations.Nullable;

/** Connects the session with the queen-bee and the honeycomb, which know nothing of each other. Thread-safe. */
final class SessionHoneycomb implements LocalHoneycomb {
    private final Honeycomb honeycomb;
    private final Executor disk;

    /** Guarded by this: the inventory that is being told. */
    private Iterator<Inventory> pages = List.<Inventory>of().iterator();

    /** Reads the catalog on an executor, because that waits for the disk. */
    SessionHoneycomb(Honeycomb honeycomb, Executor disk) {
        this.honeycomb = honeycomb;
        this.disk = disk;
    }

    @Override
    public HoneycombOffer offer() {
        return honeycomb.offer();
    }

    @Override
    public HoneycombSpace space() {
        return honeycomb.space();
    }

    @Override
    public CompletableFuture<DesktopReply> serve(DesktopRequest request) {
        return honeycomb.maintenance().handle(request);
    }

    /** Pages come as the catalog has them, which are never larger than a session asks for. */
    @Override
    public CompletableFuture<List<ReplicaName>> replicas(@Nullable ReplicaName after, int limit) {
        return CompletableFuture.supplyAsync(() -> nextPage(after == null), disk);
    }

    private synchronized List<ReplicaName> nextPage(boolean first) {
        if (first) {
            pages = honeycomb.inventory();
        }
        return pages.hasNext() ? pages.next().getReplicasList() : List.of();
    }
}
