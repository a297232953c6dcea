package org.beefs.honeybee.trace;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.request.RequestIds;
import org.beefs.common.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * The calls that all mounts of a desktop are asked. Knows each call for as long as it is open, and tells whoever
 * watches. Thread-safe, and does not wait; bounded by what drivers let be under way.
 */
public final class Calls {
    private final RequestIds ids;
    private final Clock clock;
    private final Set<Call> open = ConcurrentHashMap.newKeySet();
    private volatile List<Watcher> watchers = List.of();

    /** Hears of calls, on the threads that begin and end them. Thread-safe; does not wait. */
    interface Watcher {
        void began(Call call);

        /**
         * The call was answered.
         *
         * @param value what with, if it has not failed
         * @param errno why it failed; null if it has not
         */
        void ended(Call call, long nanos, @Nullable Object value, @Nullable Errno errno);
    }

    public Calls(RequestIds ids, Clock clock) {
        this.ids = ids;
        this.clock = clock;
    }

    synchronized void add(Watcher watcher) {
        List<Watcher> more = new ArrayList<>(watchers);
        more.add(watcher);
        watchers = List.copyOf(more);
    }

    synchronized void remove(Watcher watcher) {
        watchers = watchers.stream().filter(known -> !known.equals(watcher)).toList();
    }

    /** The calls that are not answered yet. A copy. */
    List<Call> open() {
        return List.copyOf(open);
    }

    boolean isOpen(Call call) {
        return open.contains(call);
    }

    boolean isIdle() {
        return open.isEmpty();
    }

    Clock clock() {
        return clock;
    }

    /** A mount is asked. */
    Call begin(String operation, long inode, @Nullable ByteString name) {
        Call call = new Call(ids.next(), operation, inode, name, CallingThread.get(), clock.bootNanos());
        open.add(call);
        for (Watcher watcher : watchers) {
            watcher.began(call);
        }
        return call;
    }

    /** The call counts as answered as soon as the result is there. */
    <T> void follow(Call call, CompletableFuture<T> result) {
        call.leftThread();
        if (result.isDone()) {
            result.handle((value, failure) -> ended(call, value, failure));
        } else {
            result.whenComplete((value, failure) -> ended(call, value, failure));
        }
    }

    private @Nullable Void ended(Call call, @Nullable Object value, @Nullable Throwable failure) {
        open.remove(call);
        long nanos = clock.bootNanos() - call.began();
        List<Watcher> hearing = watchers;
        if (!hearing.isEmpty()) {
            Errno errno = failure == null ? null : Failures.toPosix(failure).errno();
            hearing.forEach(watcher -> watcher.ended(call, nanos, value, errno));
        }
        return null;
    }

    /** The operation could not even begin. */
    void failed(Call call, Throwable failure) {
        ended(call, null, failure);
    }
}
