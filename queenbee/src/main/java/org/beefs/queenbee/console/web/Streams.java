package org.beefs.queenbee.console.web;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.console.model.ConsoleModel;
import org.beefs.queenbee.console.model.event.Event;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tells open pages what is new, as server-sent events. Who does not keep up misses some. Browsers ask again by
 * themselves when one ends, as each does after some minutes. Thread-safe.
 */
final class Streams implements ConsoleModel.Listener {
    private static final int MOST = 100;
    private static final int MOST_WAITING = 100;
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(15);

    /**
     * How long one lasts; less than {@code sun.net.httpserver.maxRspTime}, after which the web server breaks off
     * whatever it answers.
     */
    static final Duration LONGEST = Duration.ofMinutes(2);

    /** A page asks again before it says that nobody answers: see REOPENING in console.js. */
    private static final String BEGIN = "retry: 1000\n: BeeFS\n\n";

    private final Clock clock;
    private final Set<BlockingQueue<String>> listening = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Streams(Clock clock) {
        this.clock = clock;
    }

    @Override
    public void snapshotTaken() {
        send("event: snapshot\ndata: 1\n\n");
    }

    @Override
    public void happened(Event event) {
        send("event: happened\nid: %d\ndata: %s\n\n"
                .formatted(event.id(), JsonMapper.shared().writeValueAsString(event)));
    }

    /** Until the browser goes away, it has taken long enough, the console is closed, or the session is over. */
    void serve(Exchange exchange, BooleanSupplier mayListen) throws IOException {
        BlockingQueue<String> news = new ArrayBlockingQueue<>(MOST_WAITING);
        if (listening.size() >= MOST) {
            throw new PosixException(Errno.EAGAIN, "too many pages are open");
        }
        listening.add(news);
        long end = clock.bootNanos() + LONGEST.toNanos();
        try (OutputStream out = exchange.stream("text/event-stream")) {
            write(out, BEGIN);
            while (!closed && !clock.isPast(end) && mayListen.getAsBoolean()) {
                String next = news.poll(SIGN_OF_LIFE.toMillis(), TimeUnit.MILLISECONDS);
                write(out, next == null ? ": still here\n\n" : next);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            listening.remove(news);
        }
    }

    void close() {
        closed = true;
        send(": the end\n\n");
    }

    private void send(String message) {
        listening.forEach(news -> news.offer(message));
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
