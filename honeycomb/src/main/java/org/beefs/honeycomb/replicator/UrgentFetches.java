package org.beefs.honeycomb.replicator;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Errno;
import org.beefs.common.time.Clock;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.Fetched;

/**
 * Requests that somebody waits for: each is worked on at once, whatever else is under way, and without regard to pace
 * and pauses. What is being changed, or fetched by another request, is tried again and again until the request's time
 * is over. Thread-safe.
 */
final class UrgentFetches implements AutoCloseable {
    /** Requests at a time; the queen-bee makes fewer. */
    private static final int MOST = 64;

    /** Pause between two attempts: about as long as a file must be quiet to be copied. */
    private static final Duration PAUSE = Duration.ofMillis(25);

    private final Clock clock;
    private final Timers timers;
    private final Precedence precedence;
    private final Set<FetchRun> underWay = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closed = new AtomicBoolean();

    UrgentFetches(Clock clock, Timers timers, Precedence precedence) {
        this.clock = clock;
        this.timers = timers;
        this.precedence = precedence;
    }

    /**
     * As {@link FetchRun#run}.
     *
     * @param wanted what the request names
     * @param make a run of the request
     * @param end when its time is over, by the boot clock
     */
    CompletableFuture<List<Fetched>> fetch(List<Fetch> wanted, Function<Admission, FetchRun> make, long end) {
        precedence.begin(wanted);
        return attempt(make, end).whenComplete((_, _) -> precedence.end(wanted));
    }

    private CompletableFuture<List<Fetched>> attempt(Function<Admission, FetchRun> make, long end) {
        if (underWay.size() >= MOST || closed.get()) {
            return Futures.failed(Errno.EAGAIN, "other versions are still being fetched");
        }
        FetchRun run = make.apply((_, _, _) -> CompletableFuture.completedFuture(!clock.isPast(end)));
        underWay.add(run);
        return run.run()
                .whenComplete((fetched, failure) -> {
                    underWay.remove(run);
                    run.close();
                })
                .thenCompose(fetched -> isInTheWay(fetched) && !clock.isPast(end)
                        ? Futures.after(timers, PAUSE).thenCompose(over -> attempt(make, end))
                        : CompletableFuture.completedFuture(fetched));
    }

    private static boolean isInTheWay(List<Fetched> fetched) {
        return fetched.stream().anyMatch(one -> one.getFailure().getErrno() == Errno.EAGAIN.number());
    }

    /** Lets what is under way fail soon. */
    @Override
    public void close() {
        closed.set(true);
        underWay.forEach(FetchRun::close);
    }
}
