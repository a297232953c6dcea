package org.beefs.honeycomb.scrub;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.beefs.honeycomb.catalog.Catalog;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.state.ScrubRound;
import org.jspecify.annotations.Nullable;

/**
 * One way through all replicas in the order of the catalog, which goes on after a restart where it was. What it has
 * read is written down once for each page. For one thread at a time, but for {@link #state}.
 */
final class Round {
    private static final int PAGE = 256;

    private final Catalog catalog;
    private final Deque<ReplicaId> page = new ArrayDeque<>();
    private volatile ScrubRound state;

    /** The last of the page. */
    private @Nullable ReplicaId last;

    Round(Catalog catalog) {
        this.catalog = catalog;
        this.state = catalog.scrub().round();
        this.last =
                state.getAfterInode() == 0 ? null : new ReplicaId(state.getAfterInode(), state.getAfterGeneration());
    }

    ScrubRound state() {
        return state;
    }

    boolean isRunning() {
        return state.getRunning();
    }

    /** Whether the period has passed since the latest round began. A clock that was put back begins one at once. */
    boolean isDue(Instant now, Duration period) {
        Instant begun = Instant.ofEpochMilli(state.getBegun());
        return !isRunning() && (begun.isAfter(now) || !now.isBefore(begun.plus(period)));
    }

    /** From the first replica on. */
    void begin(Instant now) {
        page.clear();
        last = null;
        save(ScrubRound.newBuilder()
                .setBegun(now.toEpochMilli())
                .setCompleted(state.getCompleted())
                .setRunning(true)
                .build());
    }

    /** The next replica; null when the round is over. */
    @Nullable
    ReplicaId next(Instant now) {
        if (page.isEmpty()) {
            turnPage(now);
        }
        return page.poll();
    }

    /** One was read. */
    void read(long bytes) {
        state = state.toBuilder()
                .setReplicas(state.getReplicas() + 1)
                .setBytes(state.getBytes() + bytes)
                .build();
    }

    private void turnPage(Instant now) {
        List<ReplicaDescription> next = catalog.page(last, PAGE);
        ScrubRound.Builder read = state.toBuilder();
        if (next.isEmpty()) {
            save(read.setRunning(false).setCompleted(now.toEpochMilli()).build());
            return;
        }
        if (last != null) {
            read.setAfterInode(last.inode()).setAfterGeneration(last.generation());
        }
        save(read.build());
        next.forEach(description -> page.add(ReplicaId.of(description)));
        last = page.getLast();
    }

    private void save(ScrubRound latest) {
        catalog.scrub().putRound(latest);
        state = latest;
    }
}
