package org.beefs.common.request;

import java.util.concurrent.CompletableFuture;

/**
 * The id of the request that the current thread works for. It is set for as long as a method runs, and whoever lets
 * something go on later, on whatever thread, takes it along: with what completes a future ({@link #of}), with a task
 * ({@link #carrying}), in a field of his own, or in the frame of a request. So what goes on behind a future has the id
 * of who waits for it.
 *
 * <p>Nothing but log lines, traces and further requests' ids depends on it. Costs one look at a thread-local variable,
 * and no memory.
 */
public final class CurrentRequest {
    /** No request, or none that is known. */
    public static final long NONE = 0;

    private static final ThreadLocal<CurrentRequest> CURRENT = ThreadLocal.withInitial(CurrentRequest::new);

    private long id = NONE;

    private CurrentRequest() {}

    public static long id() {
        return CURRENT.get().id;
    }

    /**
     * The thread works for this request from now on.
     *
     * @return what it worked for before, for {@link #leave}, which follows in any case
     */
    public static long enter(long id) {
        CurrentRequest current = CURRENT.get();
        long before = current.id;
        current.id = id;
        return before;
    }

    /** The thread goes on with what it did before. */
    public static void leave(long before) {
        CURRENT.get().id = before;
    }

    /** Runs a task for a request. */
    public static void run(long id, Runnable task) {
        long before = enter(id);
        try {
            task.run();
        } finally {
            leave(before);
        }
    }

    /** The task, which works for the present request whenever it runs. */
    public static Runnable carrying(Runnable task) {
        long id = id();
        return id == NONE ? task : () -> run(id, task);
    }

    /** The shared result, for what goes on with it in this thread's present request, though others wait for it too. */
    public static <T> CompletableFuture<T> of(CompletableFuture<T> shared) {
        long id = id();
        if (id == NONE || shared.isDone()) {
            return shared;
        }
        CompletableFuture<T> own = new CompletableFuture<>();
        shared.whenComplete((value, failure) -> run(id, () -> {
            if (failure == null) {
                own.complete(value);
            } else {
                own.completeExceptionally(failure);
            }
        }));
        return own;
    }
}
