package org.beefs.cli.bench.queen;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.common.time.ProductionOnly;

/**
 * Lanes that ask for a while, and how long the answers took. All of it belongs to the network's thread, but for
 * {@link #run}, which is called on another one and only gives the time.
 */
@ProductionOnly
final class Load {
    /** How exactly requests leave when they are due. */
    private static final long TICK_NANOS = 1_000_000;

    /** For the answers that are waited for at the end. */
    private static final Duration END = Duration.ofSeconds(15);

    private final Clock clock;
    private final Executor thread;
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
    private long[] nanos = new long[1 << 16];
    private int answers;
    private int lanes;
    private volatile boolean over;

    Load(Clock clock, Executor thread) {
        this.clock = clock;
        this.thread = thread;
    }

    /**
     * Asks for that long, and waits until all lanes have come to their ends. Fails as the first request that failed.
     */
    ResponseTimes run(List<Lane> all, Duration time) throws InterruptedException {
        long begun = clock.bootNanos();
        long end = begun + time.toNanos();
        thread.execute(() -> lanes = all.size());
        try {
            for (long now = begun; now < end && !ended.isDone(); now = clock.bootNanos()) {
                look(all, now);
                LockSupport.parkNanos(TICK_NANOS);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
            return taken(begun);
        } finally {
            over = true;
            awaitEnd(all);
        }
    }

    boolean isOver() {
        return over;
    }

    void took(long time) {
        if (over) {
            return;
        }
        if (answers == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * answers);
        }
        nanos[answers++] = time;
    }

    void laneEnded() {
        lanes--;
        if (lanes == 0) {
            ended.complete(true);
        }
    }

    void failed(PosixException why) {
        over = true;
        ended.completeExceptionally(why);
    }

    private void look(List<Lane> all, long now) {
        thread.execute(() -> all.forEach(lane -> lane.look(now)));
    }

    private ResponseTimes taken(long begun) throws InterruptedException {
        CompletableFuture<ResponseTimes> taken = new CompletableFuture<>();
        thread.execute(() -> {
            long[] each = Arrays.copyOf(nanos, answers);
            long elapsed = clock.bootNanos() - begun;
            over = true;
            taken.complete(new ResponseTimes(each, elapsed));
        });
        return Answers.await(taken, END);
    }

    private void awaitEnd(List<Lane> all) throws InterruptedException {
        look(all, clock.bootNanos());
        Answers.await(ended, END);
    }
}
