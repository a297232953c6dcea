package org.beefs.queenbee.hive.inventory;

import java.util.HashMap;
import java.util.Map;
import org.beefs.common.wire.Inventory;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.session.DesktopConnection;
import org.jspecify.annotations.Nullable;

/**
 * Compares what honeycombs have told of their replicas with the namespace: goes through all inodes, some in each pass,
 * for all who have come before it began. At most one comparison for each honeycomb. Belongs to the namespace thread.
 */
public final class InventoryComparisons {
    /** Slots of the inodes' table looked at in one pass: less than a millisecond. */
    private static final int SLICE = 8192;

    private final Namespace namespace;

    /** Comparisons by the number of their honeycomb, as in the other maps. */
    private final Map<Integer, InventoryComparison> waiting = new HashMap<>();

    private final Map<Integer, InventoryComparison> underWay = new HashMap<>();
    private final Map<Integer, InventoryComparison> done = new HashMap<>();
    private int position;
    private boolean news;

    public InventoryComparisons(Namespace namespace) {
        this.namespace = namespace;
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

    /** Whether some are done since this was taken last. */
    public boolean hasNews() {
        return news;
    }

    public boolean takeNews() {
        boolean taken = news;
        news = false;
        return taken;
    }

    /** Once in each pass. */
    public void step() {
        if (underWay.isEmpty()) {
            underWay.putAll(waiting);
            waiting.clear();
        }
        if (underWay.isEmpty()) {
            return;
        }
        position = namespace.forSome(position, SLICE, this::look);
        if (position == 0) {
            done.putAll(underWay);
            underWay.clear();
            news = true;
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
