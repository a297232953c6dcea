package org.beefs.common.rpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.time.Timers;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one connection that wait for their replies. Thread-safe. A call leaves exactly once: with its reply, its
 * deadline, a failure, or because its future was cancelled. All are failed in the order of calling, so that a simulated
 * run repeats itself.
 */
final class PendingCalls {
    private final int limit;
    private final AtomicLong lastId = new AtomicLong();
    private final AtomicInteger size = new AtomicInteger();
    private final Map<Long, Call<?>> calls = new ConcurrentHashMap<>();

    PendingCalls(int limit) {
        this.limit = limit;
    }

    /**
     * Adds a call and returns its id, above 0; 0 when as many as allowed wait already.
     *
     * @param arrived runs before the reply's future is completed
     */
    <A extends MessageLite> long add(
            CompletableFuture<Message<A>> reply, Parser<A> parser, Consumer<? super A> arrived) {
        if (size.incrementAndGet() > limit) {
            size.decrementAndGet();
            return 0;
        }
        long id = lastId.incrementAndGet();
        calls.put(id, new Call<>(reply, parser, arrived));
        reply.whenComplete((_, _) -> remove(id));
        return id;
    }

    /** The timer ends with the call; at once when that has left. */
    void setDeadline(long id, Timers.Timer timer) {
        Call<?> call = calls.get(id);
        if (call == null) {
            timer.cancel();
        } else {
            call.setDeadline(timer);
        }
    }

    /**
     * Hands a reply and its payload to the call; a reply nobody waits for any more is dropped. One that cannot be read
     * fails the call, and leaves the payload to who called this.
     */
    void complete(long id, ByteString body, Payload payload) throws InvalidProtocolBufferException {
        Call<?> call = remove(id);
        if (call == null) {
            payload.close();
        } else {
            call.complete(body, payload);
        }
    }

    void fail(long id, PosixException cause) {
        Call<?> call = remove(id);
        if (call != null) {
            call.fail(cause);
        }
    }

    void failAll(PosixException cause) {
        calls.keySet().stream().sorted().toList().forEach(id -> fail(id, cause));
    }

    private @Nullable Call<?> remove(long id) {
        Call<?> call = calls.remove(id);
        if (call != null) {
            size.decrementAndGet();
            call.end();
        }
        return call;
    }

    private static final class Call<A extends MessageLite> {
        private final CompletableFuture<Message<A>> reply;
        private final Parser<A> parser;
        private final Consumer<? super A> arrived;
        private final long request = CurrentRequest.id();
        private Timers.@Nullable Timer deadline;
        private boolean ended;

        Call(CompletableFuture<Message<A>> reply, Parser<A> parser, Consumer<? super A> arrived) {
            this.reply = reply;
            this.parser = parser;
            this.arrived = arrived;
        }

        void complete(ByteString body, Payload payload) throws InvalidProtocolBufferException {
            long before = CurrentRequest.enter(request);
            try {
                take(body, payload);
            } finally {
                CurrentRequest.leave(before);
            }
        }

        void fail(PosixException cause) {
            CurrentRequest.run(request, () -> reply.completeExceptionally(cause));
        }

        private void take(ByteString body, Payload payload) throws InvalidProtocolBufferException {
            A message;
            try {
                message = parser.parseFrom(body);
            } catch (InvalidProtocolBufferException e) {
                reply.completeExceptionally(new PosixException(Errno.EPROTO, "the reply cannot be read"));
                throw e;
            }
            boolean taken;
            try {
                arrived.accept(message);
                taken = reply.complete(new Message<>(message, payload));
            } catch (RuntimeException | Error defect) { // the call has left the table: nobody else would fail it
                taken = false;
                reply.completeExceptionally(defect);
            }
            if (!taken) {
                payload.close();
            }
        }

        synchronized void setDeadline(Timers.Timer timer) {
            if (ended) {
                timer.cancel();
            } else {
                deadline = timer;
            }
        }

        synchronized void end() {
            ended = true;
            if (deadline != null) {
                deadline.cancel();
            }
        }
    }
}
