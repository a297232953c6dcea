package org.beefs.honeybee.trace;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.beefs.common.posix.Errno;
import org.beefs.common.time.Clock;
import org.jspecify.annotations.Nullable;

/** Calls that somebody watches. Thread-safe. */
final class Trace implements Calls.Watcher {
    /** Calls that wait to be fetched; further ones are only counted. */
    static final int MOST_KEPT = 10_000;

    /** Calls in one answer. */
    static final int MOST_TOLD = 1000;

    /**
     * Characters in one answer, for either half of it: so it fits into a line of the control socket whatever the names.
     */
    private static final int MOST_CHARACTERS = 450_000;

    private final Filter filter;
    private final Duration slow;
    private final Clock clock;

    /** Open calls that this trace is about, as far as was known when they began. */
    private final Set<Call> concerned = ConcurrentHashMap.newKeySet();

    // Guarded by this.
    private final Queue<TracedCall> ended = new ArrayDeque<>();
    private long leftOut;

    Trace(Filter filter, Duration slow, Clock clock) {
        this.filter = filter;
        this.slow = slow;
        this.clock = clock;
    }

    @Override
    public void began(Call call) {
        if (filter.concerns(call)) {
            concerned.add(call);
        }
    }

    @Override
    public void ended(Call call, long nanos, @Nullable Object value, @Nullable Errno errno) {
        filter.learn(call, value);
        boolean mine = concerned.remove(call) || filter.concerns(call);
        if (mine && nanos >= slow.toNanos()) {
            TracedCall told =
                    TracedCall.of(call, filter.pathOf(call), clock.now().minus(Duration.ofNanos(nanos)), nanos, errno);
            synchronized (this) {
                if (ended.size() < MOST_KEPT) {
                    ended.add(told);
                } else {
                    leftOut++;
                }
            }
        }
    }

    boolean concerns(Call call, long now) {
        return call.age(now).compareTo(slow) >= 0 && (concerned.contains(call) || filter.concerns(call));
    }

    /** @param open what is to be shown of the calls that wait */
    synchronized TraceAnswer take(List<Call> open) {
        List<TracedCall> told = new ArrayList<>();
        int characters = 0;
        while (told.size() < MOST_TOLD && characters < MOST_CHARACTERS && !ended.isEmpty()) {
            told.add(ended.remove());
            characters += told.getLast().characters();
        }
        long unsaid = leftOut;
        leftOut = 0;
        return new TraceAnswer(told, shown(open), unsaid, !ended.isEmpty());
    }

    private List<TracedCall> shown(List<Call> open) {
        List<TracedCall> shown = new ArrayList<>();
        int characters = 0;
        for (Call call : open) {
            if (characters < MOST_CHARACTERS) {
                shown.add(shown(call));
                characters += shown.getLast().characters();
            }
        }
        return shown;
    }

    private TracedCall shown(Call call) {
        long nanos = clock.bootNanos() - call.began();
        Instant began = clock.now().minus(Duration.ofNanos(nanos));
        return TracedCall.of(call, filter.pathOf(call), began, nanos, null);
    }
}
