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
import org.beefs.queenbee.console.model.ConsoleModel;
import org.beefs.queenbee.console.model.Event;
import tools.jackson.databind.json.JsonMapper;

/** Tells open pages what is new, as server-sent events. Who does not keep up misses some. Thread-safe. */
final class Streams implements ConsoleModel.Listener {
    private static final int MOST = 100;
    private static final int MOST_WAITING = 100;
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(15);

    private final Set<BlockingQueue<String>> listening = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    @Override
    public void snapshotTaken() {
        send("event: snapshot\ndata: 1\n\n");
    }

    @Override
    public void happened(Event event) {
        send("event: happened\nid: %d\ndata: %s\n\n"
                .formatted(event.id(), JsonMapper.shared().writeValueAsString(event)));
    }

    /** Until the browser goes away, the console is closed, or the session is over. */
    void serve(Exchange exchange, BooleanSupplier mayListen) throws IOException {
        BlockingQueue<String> news = new ArrayBlockingQueue<>(MOST_WAITING);
        if (listening.size() >= MOST) {
            throw new PosixException(Errno.EAGAIN, "too many pages are open");
        }
        listening.add(news);
        try (OutputStream out = exchange.stream("text/event-stream")) {
            write(out, ": BeeFS\n\n");
            while (!closed && mayListen.getAsBoolean()) {
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
