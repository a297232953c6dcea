package org.beefs.queenbee.hive.inventory;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.beefs.common.wire.Inventory;
import org.beefs.queenbee.lease.Occasions;
import org.beefs.queenbee.lease.Wait;
import org.beefs.queenbee.memory.MemoryRoom;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.session.DesktopConnection;
import org.jspecify.annotations.Nullable;

/**
 * Compares what honeycombs have told of their replicas with the namespace: goes through all inodes, some in each pass,
 * for those who have come before it began, as far as there is memory for them. At most one comparison for each
 * honeycomb. Belongs to the namespace thread.
 */
public final class InventoryComparisons {
    /** Slots of the inodes' table looked at in one pass: less than a millisecond. */
    private static final int SLICE = 8192;

    /** Which part of the heap the numbers may take that the comparisons under way keep, one for each replica. */
    private static final int HEAP_SHARE = 32;

    private final Namespace namespace;
    private final Occasions occasions;
    private final long most;

    /** Comparisons by the number of their honeycomb, as in the other maps; the oldest first. */
    private final Map<Integer, InventoryComparison> waiting = new LinkedHashMap<>();

    private final Map<Integer, InventoryComparison> underWay = new HashMap<>();
    private final Map<Integer, InventoryComparison> done = new HashMap<>();
    private int position;

    public InventoryComparisons(Namespace namespace, MemoryRoom memory, Occasions occasions) {
        this(namespace, occasions, memory.heap() / HEAP_SHARE / Long.BYTES);
    }

    /** @param most replicas that those under way were told of together, unless one alone was told of more */
    InventoryComparisons(Namespace namespace, Occasions occasions, long most) {
        this.namespace = namespace;
        this.occasions = occasions;
        this.most = most;
    }

    /**
     * The result of comparing an inventory, answered once; null when it is not known yet: then the comparison has
     * begun, or begins.
     *
     * @param honeycomb its number
     */
    public @Nullable InventoryComparison take(int honeycomb, DesktopConnection connection, Inventory told) {
        InventoryComparison found = done.remove(honeycomb);
        if (found != null && found.isOf(connection, told)) {
            return found;
        }
        if (!isOf(waiting.get(honeycomb), connection, told) && !isOf(underWay.get(honeycomb), connection, told)) {
            waiting.put(honeycomb, new InventoryComparison(connection, told, honeycomb));
        }
        return null;
    }

    private static boolean isOf(
            @Nullable InventoryComparison comparison, DesktopConnection connection, Inventory told) {
        return comparison != null && comparison.isOf(connection, told);
    }

    /** Whether a pass would find something to do. */
    public boolean isRunning() {
        return !waiting.isEmpty() || !underWay.isEmpty();
    }

    /**
     * Nobody waits on this connection for a result any more. What was sent again meanwhile over another one is parked,
     * and has to be looked at.
     */
    public void closed(DesktopConnection connection) {
        for (Map<Integer, InventoryComparison> some : List.of(waiting, underWay, done)) {
            if (some.values().removeIf(comparison -> comparison.isToldBy(connection))) {
                occasions.arose(Wait.Occasion.COMPARED);
            }
        }
    }

    /** Once in each pass. */
    public void step() {
        if (underWay.isEmpty()) {
            beginWalk();
        }
        if (underWay.isEmpty()) {
            return;
        }
        position = namespace.forSome(position, SLICE, this::look);
        if (position == 0) {
            done.putAll(underWay);
            underWay.clear();
            occasions.arose(Wait.Occasion.COMPARED);
        }
    }

    /** Takes those that have waited for longest. */
    private void beginWalk() {
        position = 0;
        long replicas = 0;
        for (Iterator<Map.Entry<Integer, InventoryComparison>> next =
                        waiting.entrySet().iterator();
                next.hasNext(); ) {
            Map.Entry<Integer, InventoryComparison> oldest = next.next();
            replicas += oldest.getValue().replicas();
            if (replicas > most && !underWay.isEmpty()) {
                return;
            }
            underWay.put(oldest.getKey(), oldest.getValue());
            next.remove();
        }
    }

    private void look(Inode inode) {
        if (!inode.isRegular()) {
            return;
        }
        InventoryComparison primary = underWay.get(inode.honeycomb());
        if (primary != null) {
            primary.expectPrimary(inode);
        }
        if (!inode.secondaries().isEmpty()) {
            inode.secondaries().honeycombs().forEach(number -> {
                InventoryComparison secondary = underWay.get(number);
                if (secondary != null) {
                    secondary.expectSecondary(inode);
                }
            });
        }
    }
}
