package org.beefs.queenbee.hive.inventory;

import java.time.Instant;
import java.util.Objects;
import org.beefs.queenbee.session.DesktopConnection;
import org.jspecify.annotations.Nullable;

/**
 * How far a honeycomb has told what replicas it has, and what that has come to. It tells once over each connection.
 * Belongs to the namespace thread.
 */
public final class InventoryProgress {
    private final InventorySummary summary = new InventorySummary();
    private final UnknownReplicas unknown = new UnknownReplicas();
    private UnlistedReplicas unlisted = UnlistedReplicas.NONE;
    private @Nullable DesktopConnection connection;
    private long since;
    private boolean complete;

    /** What has come to light so far. */
    public InventorySummary summary() {
        return summary;
    }

    /** Replicas that it shows and no file has. */
    public UnknownReplicas unknown() {
        return unknown;
    }

    /** Replicas that should be listed in it. */
    public UnlistedReplicas unlisted() {
        return unlisted;
    }

    /** The inventory should list these replicas. */
    public void expect(UnlistedReplicas replicas) {
        unlisted = replicas;
    }

    /**
     * The journal's last change before the honeycomb began to look at what it has: what was done at it before, the
     * inventory shows.
     */
    public long since() {
        return since;
    }

    /** Whether all was told, since the honeycomb connected. */
    public boolean isComplete() {
        return complete;
    }

    /** Whether it is the inventory that is told over this connection. */
    public boolean isOver(@Nullable DesktopConnection other) {
        return Objects.equals(connection, other);
    }

    /**
     * A new inventory begins.
     *
     * @param over null when that has broken already
     * @param last the journal's last change
     */
    public void begin(@Nullable DesktopConnection over, long last) {
        connection = over;
        since = last;
        unlisted = UnlistedReplicas.NONE;
        complete = false;
        unknown.begin();
    }

    /** All was told. */
    public void complete(String desktop, Instant now) {
        unlisted = UnlistedReplicas.NONE;
        summary.complete(desktop, unknown.count(), now);
        unknown.tell(desktop);
        complete = true;
    }
}
