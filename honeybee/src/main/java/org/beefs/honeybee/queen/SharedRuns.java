package org.beefs.honeybee.queen;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Work that several ask for: one run at a time, and those who ask during a run share the next one. Thread-safe. */
final class SharedRuns {
    private final Supplier<CompletableFuture<?>> work;

    // Guarded by this.
    private @Nullable CompletableFuture<Void> running;
    private @Nullable CompletableFuture<Void> next;

    /** @param work does not throw; whether it succeeds is no matter of those who wait for a run to be over */
    SharedRuns(Supplier<CompletableFuture<?>> work) {
        this.work = work;
    }

    /** Does a run that begins after this call; done when it is over. */
    CompletableFuture<Void> again() {
        CompletableFuture<Void> mine;
        synchronized (this) {
            if (running != null) {
                next = next == null ? new CompletableFuture<>() : next;
                return next;
            }
            mine = new CompletableFuture<>();
            running = mine;
        }
        run(mine);
        return mine;
    }

    /** Done when no run is under way that has begun before this call. */
    synchronized CompletableFuture<Void> settled() {
        return running == null ? CompletableFuture.completedFuture(null) : running;
    }

    private void run(CompletableFuture<Void> mine) {
        work.get().whenComplete((done, failure) -> {
            CompletableFuture<Void> following;
            synchronized (this) {
                following = next;
                running = following;
                next = null;
            }
            mine.complete(null);
            if (following != null) {
                run(following);
            }
        });
    }
}
