package org.beefs.honeycomb.maintenance;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.ReplicaName;
import org.beefs.honeycomb.catalog.Catalog;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.jspecify.annotations.Nullable;

/**
 * What a honeycomb holds, page by page, read from the catalog as it is asked for. Replicas that come or go meanwhile may or
 * may not be in it. Used by one thread at a time.
 */
public final class InventoryPages implements Iterator<Inventory> {
    /** Replicas in a page, at most. */
    public static final int PAGE = 10_000;

    private final Catalog catalog;
    private @Nullable List<ReplicaDescription> next;

    public InventoryPages(Catalog catalog) {
        this.catalog = catalog;
    }

    @Override
    public boolean hasNext() {
        return !upcoming().isEmpty();
    }

    @Override
    public Inventory next() {
        List<ReplicaDescription> page = upcoming();
        if (page.isEmpty()) {
            throw new NoSuchElementException("the inventory is at its end");
        }
        next = page.size() < PAGE ? List.of() : catalog.page(ReplicaId.of(page.getLast()), PAGE);
        Inventory.Builder inventory = Inventory.newBuilder();
        page.forEach(replica -> inventory.addReplicas(name(replica)));
        return inventory.build();
    }

    private List<ReplicaDescription> upcoming() {
        if (next == null) {
            next = catalog.page(null, PAGE);
        }
        return next;
    }

    private static ReplicaName name(ReplicaDescription replica) {
        return ReplicaName.newBuilder()
                .setInode(replica.getInode())
                .setGeneration(replica.getGeneration())
                .setEpoch(replica.getEpoch())
                .build();
    }
}
