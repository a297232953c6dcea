package org.beefs.honeycomb.replicator;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.RpcEnvironment;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.Fetched;
import org.beefs.common.wire.Fetches;
import org.beefs.common.wire.Hello;
import org.beefs.honeycomb.pace.Pace;
import org.beefs.honeycomb.store.Arrivals;
import org.jspecify.annotations.Nullable;

/**
 * Fetches what the queen-bee wants to lie in this honeycomb. Thread-safe; works on one request at a time, and on
 * {@link UrgentFetches} beside it.
 */
public final class Replicator implements AutoCloseable {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Arrivals arrivals;
    private final Hello hello;
    private final RpcEnvironment environment;
    private final DiskTasks disk;
    private final Clock clock;
    private final Pace pace;
    private final Progress progress = new Progress();
    private final AtomicReference<@Nullable FetchRun> underWay = new AtomicReference<>();
    private final Precedence precedence = new Precedence();
    private final UrgentFetches urgent;
    private final LongAdder copied = new LongAdder();

    /**
     * Begins with nothing to fetch.
     *
     * @param hello how this daemon greets other honeycombs
     * @param disk where it waits for the disk
     */
    public Replicator(Arrivals arrivals, Hello hello, RpcEnvironment environment, Executor disk, Pace pace) {
        this.arrivals = arrivals;
        this.hello = hello;
        this.environment = environment;
        this.disk = new DiskTasks(disk);
        this.clock = environment.clock();
        this.pace = pace;
        this.urgent = new UrgentFetches(clock, environment.timers(), precedence);
    }

    /**
     * Fetches; the answer is what has become of each, in the order asked. Fails with EAGAIN while another request is
     * worked on. Called in the order in which the queen-bee asks: what she has removed, or asked for in another
     * version, after this does not come.
     */
    public CompletableFuture<List<Fetched>> fetch(Fetches fetches) {
        List<Fetch> wanted = fetches.getFetchesList();
        wanted.forEach(arrivals::expect);
        long end = clock.bootNanos() + fetches.getPatienceMillis() * NANOS_PER_MILLI;
        CompletableFuture<List<Fetched>> fetching = fetches.getUrgent()
                ? urgent.fetch(wanted, admission -> run(fetches, admission, end), end)
                : inBackground(run(fetches, (of, bytes, source) -> admit(of, bytes, source, end), end));
        return fetching.whenComplete((_, _) -> wanted.forEach(arrivals::expectNoMore));
    }

    private CompletableFuture<Boolean> admit(List<Fetch> fetches, long bytes, Source source, long end) {
        return precedence.unlessWanted(fetches, () -> admitAtPace(bytes, source, end));
    }

    /** Admits bytes, here first: what the source admits is copied at once. */
    private CompletableFuture<Boolean> admitAtPace(long bytes, Source source, long end) {
        return pace.admit(bytes, end)
                .thenCompose(here ->
                        here ? source.admit(bytes, () -> clock.isPast(end)) : CompletableFuture.completedFuture(false))
                .thenApply(both -> {
                    if (both) {
                        pace.beginsNow(bytes);
                    }
                    return both;
                });
    }

    private boolean count(boolean admitted, long bytes) {
        if (admitted) {
            copied.add(bytes);
        }
        return admitted;
    }

    /** Bytes that were copied here, or begun to be, since the start. */
    public long copied() {
        return copied.sum();
    }

    private FetchRun run(Fetches fetches, Admission admission, long end) {
        CopyContext context = new CopyContext(
                arrivals,
                disk,
                progress,
                (of, bytes, source) ->
                        admission.admit(of, bytes, source).thenApply(admitted -> count(admitted, bytes)));
        return new FetchRun(fetches, new Sources(hello, environment, end), clock, context, end);
    }

    private CompletableFuture<List<Fetched>> inBackground(FetchRun run) {
        if (!underWay.compareAndSet(null, run)) {
            return CompletableFuture.failedFuture(
                    new PosixException(Errno.EAGAIN, "other versions are still being fetched"));
        }
        return run.run().whenComplete((fetched, failure) -> {
            underWay.set(null);
            run.close();
        });
    }

    /** Lets what is under way fail soon. */
    @Override
    public void close() {
        urgent.close();
        FetchRun run = underWay.get();
        if (run != null) {
            run.close();
        }
    }
}
