package org.beefs.queenbee.testing;

import com.google.protobuf.MessageLite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.Service;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.journal.StateStore;
import org.beefs.queenbee.memory.MemoryRoom;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.server.QueenBee;
import org.beefs.queenbee.server.QueenBeeEnvironment;
import org.beefs.queenbee.session.DesktopConnection;

/**
 * A queen-bee in one thread: requests are answered at once unless they have to wait for a flush or for time. Flushes
 * run when the queue of the flusher is let run, by default after each request. Not thread-safe.
 */
public final class TestHive {
    private final QueenBeeConfig config;
    private final StateStore store;
    private final ManualTime time = new ManualTime();
    private final Random random = new Random(1);
    private final Queue<Runnable> flushes = new ArrayDeque<>();
    private final List<String> fatal = new ArrayList<>();
    private final MemoryRoom memory;
    private int machineStarts;
    private int memoryPercent;
    private boolean flushesHeld;
    private String readOnly = "";
    private QueenBee queenBee;

    public TestHive() {
        this(new MemoryStateStore());
    }

    public TestHive(StateStore store) {
        this(store, TestConfig.usual());
    }

    public TestHive(StateStore store, QueenBeeConfig config) {
        this(store, config, Long.MAX_VALUE);
    }

    /** @param heap bytes that the queen-bee may use */
    public TestHive(StateStore store, QueenBeeConfig config, long heap) {
        this.memory = new MemoryRoom(heap, () -> memoryPercent);
        this.store = store;
        this.config = config;
        queenBee = start();
    }

    /** Kills the queen-bee and starts another one on what was written. */
    public void restart() {
        queenBee.close();
        flushes.clear();
        queenBee = start();
        run();
    }

    /** Her machine was started anew meanwhile. */
    public void restartMachine() {
        machineStarts++;
        restart();
    }

    /** As {@link #restart}, and nothing may be changed any more. */
    public void restartReadOnly() {
        readOnly = "its recovery has not ended";
        restart();
    }

    public QueenBee queenBee() {
        return queenBee;
    }

    public ManualTime time() {
        return time;
    }

    /** So much of her memory is in use from now on, which she sees at the next tick. */
    public void useMemory(int percent) {
        memoryPercent = percent;
    }

    /** What ended the queen-bee, if anything. */
    public List<String> fatal() {
        return fatal;
    }

    /** Keeps flushes from running until {@link #runFlushes}. */
    public void holdFlushes() {
        flushesHeld = true;
    }

    /** Runs the flushes that were held, one after the other. */
    public void runFlushes() {
        for (Runnable flush = flushes.poll(); flush != null; flush = flushes.poll()) {
            flush.run();
            passes();
        }
    }

    /** Runs the oldest of the flushes that were held. */
    public void runFlush() {
        flushes.remove().run();
        passes();
    }

    /** Flushes that were begun and have not run. */
    public int heldFlushes() {
        return flushes.size();
    }

    /** Hands a request in; the future is done when it is answered. */
    public CompletableFuture<QueenReply> submit(QueenRequest request, DesktopConnection connection) {
        CompletableFuture<QueenReply> reply = new CompletableFuture<>();
        if (!queenBee.submit(request, connection, new FutureResponder(reply))) {
            throw new IllegalStateException("the queue is full");
        }
        return reply;
    }

    private record FutureResponder(CompletableFuture<QueenReply> reply) implements Service.Responder {
        @Override
        public void answer(MessageLite answer, Payload payload) {
            reply.complete((QueenReply) answer);
        }

        @Override
        public void fail(PosixException cause) {
            reply.completeExceptionally(cause);
        }
    }

    /** Does all that there is to do now. */
    public void run() {
        passes();
    }

    public void advance(Duration duration) {
        time.advance(duration, this::run);
        run();
    }

    /** While those that are awake say so. */
    public void advance(Collection<TestDesktop> awake, Duration duration) {
        for (Duration left = duration; left.isPositive(); left = left.minus(config.heartbeat())) {
            awake.forEach(desktop -> desktop.ok(QueenRequest.newBuilder().setHeartbeat(desktop.heartbeat())));
            advance(config.heartbeat());
        }
    }

    /** One that there is. */
    public Inode inode(long number) {
        return Objects.requireNonNull(queenBee.state().namespace().find(number));
    }

    /** The desktops that have a file's replicas, the primary's first. */
    public List<String> desktopsOf(long inode) {
        Honeycombs honeycombs = queenBee.state().honeycombs();
        Stream<Honeycomb> secondaries = inode(inode).secondaries().honeycombs().mapToObj(honeycombs::numbered);
        return Stream.concat(Stream.of(honeycombs.of(inode(inode))), secondaries)
                .map(Honeycomb::desktop)
                .toList();
    }

    /** What is in a directory, with the number of each, in the order of listings. */
    public SequencedMap<String, Long> names(long directory) {
        SequencedMap<String, Long> names = new LinkedHashMap<>();
        inode(directory).directory().visit(0, entry -> {
            names.put(entry.name().toStringUtf8(), entry.inode().number());
            return true;
        });
        return names;
    }

    /** Of a desktop's honeycomb. */
    public int number(String desktop) {
        return queenBee.state().honeycombs().lastOn(desktop).number();
    }

    private void passes() {
        while (queenBee.hasWork() && fatal.isEmpty()) {
            queenBee.runPass();
        }
    }

    /** Unless they are held, flushes wait for nothing: most tests are about what comes after. */
    private Timers.Timer schedule(Duration delay, Runnable task) {
        if (flushesHeld || !delay.equals(config.flushInterval())) {
            return time.schedule(delay, task);
        }
        task.run();
        return () -> {};
    }

    private void flush(Runnable flush) {
        if (flushesHeld) {
            flushes.add(flush);
        } else {
            flush.run();
        }
    }

    private QueenBee start() {
        QueenBeeEnvironment environment = new QueenBeeEnvironment(
                time,
                this::schedule,
                random,
                "start " + machineStarts,
                memory,
                this::flush,
                (what, cause) -> fatal.add(what));
        try {
            return new QueenBee(config, store, environment, () -> {}, readOnly);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
