package org.beefs.honeybee.trace;

import com.google.protobuf.ByteString;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Errno;
import org.beefs.common.time.Timers;
import org.jspecify.annotations.Nullable;

/**
 * The watches on calls. A watch begins with its first question, and ends when no other has come for {@link #FORGOTTEN}.
 * At most {@link #MOST} at a time. Thread-safe.
 */
public final class Traces {
    static final int MOST = 8;
    static final Duration FORGOTTEN = Duration.ofSeconds(5);

    /** Calls that take longer than this are shown before they are answered. */
    static final Duration LONG = Duration.ofMillis(100);

    /** Open calls in one answer. */
    private static final int MOST_OPEN = 100;

    private final Calls calls;
    private final Waits waits;
    private final Names names;
    private final Timers timers;

    /** By key; guarded by this. */
    private final Map<Long, Watched> traces = new HashMap<>();

    private static final class Watched {
        private final Trace trace;
        private final Filter filter;
        private long asked;

        Watched(Trace trace, Filter filter) {
            this.trace = trace;
            this.filter = filter;
        }
    }

    public Traces(Calls calls, Waits waits, Names names, Timers timers) {
        this.calls = calls;
        this.waits = waits;
        this.names = names;
        this.timers = timers;
    }

    /** What was seen since the question before of the same key. Fails with EAGAIN when too many watch already. */
    public CompletableFuture<TraceAnswer> look(TraceQuestion question) {
        Watched watched = watch(question);
        if (watched == null) {
            return Futures.failed(Errno.EAGAIN, "%d others trace this desktop's calls already".formatted(MOST));
        }
        if (watched.filter instanceof PathFilter path) {
            path.ask();
        }
        long now = calls.clock().bootNanos();
        List<Call> open = calls.open().stream()
                .filter(call -> call.age(now).compareTo(LONG) >= 0 && watched.trace.concerns(call, now))
                .limit(MOST_OPEN)
                .toList();
        return waits.explain(open)
                .thenApply(explained ->
                        watched.trace.take(open.stream().filter(calls::isOpen).toList()));
    }

    private synchronized @Nullable Watched watch(TraceQuestion question) {
        Watched known = traces.get(question.key());
        if (known == null && traces.size() < MOST) {
            Filter filter = filter(question);
            known = new Watched(new Trace(filter, Duration.ofMillis(question.slowMillis()), calls.clock()), filter);
            traces.put(question.key(), known);
            calls.add(known.trace);
            forgetLater(question.key());
        }
        if (known != null) {
            known.asked = calls.clock().bootNanos();
        }
        return known;
    }

    private Filter filter(TraceQuestion question) {
        List<String> path = question.path();
        return path == null
                ? new ProcessFilter(Path.of("/proc"), question.process())
                : new PathFilter(path.stream().map(ByteString::copyFromUtf8).toList(), names);
    }

    private void forgetLater(long key) {
        timers.schedule(FORGOTTEN, () -> forget(key));
    }

    private synchronized void forget(long key) {
        Watched known = traces.get(key);
        if (known != null && calls.clock().bootNanos() - known.asked >= FORGOTTEN.toNanos()) {
            traces.remove(key);
            calls.remove(known.trace);
        } else if (known != null) {
            forgetLater(key);
        }
    }
}
