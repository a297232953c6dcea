package org.beefs.honeybee.queen;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Sync;
import org.beefs.honeybee.ConcurrencyLimit;
import org.beefs.honeybee.HoneybeeConfig;
import org.beefs.honeybee.cache.CacheView;
import org.jspecify.annotations.Nullable;

/**
 * Changes that programs wait for: made here under delegations, or else asked of the queen-bee, a bounded number at a
 * time. Thread-safe; no method blocks.
 */
final class Changes {
    /** Bytes for which a request takes one of the places for changes; a rest counts in full. */
    private static final int BYTES_IN_PLACE = 4096;

    private final QueenCalls calls;
    private final DecidedChanges decided;
    private final AnsweredChanges answered;
    private final OpenRegistry opens;
    private final ConcurrencyLimit limit;

    Changes(
            HoneybeeConfig config,
            QueenCalls calls,
            DecidedChanges decided,
            AnsweredChanges answered,
            OpenRegistry opens) {
        this.calls = calls;
        this.decided = decided;
        this.answered = answered;
        this.opens = opens;
        this.limit = new ConcurrencyLimit(config.maxChanges(), config.maxWaitingChanges());
    }

    /** @param origin the mount that makes the change; null for the daemon's own */
    CompletableFuture<QueenReply> make(QueenRequest.Builder request, @Nullable CacheView origin) {
        CompletableFuture<QueenReply> made = decide(request, origin);
        return made != null ? made : ask(calls.change(QueenCall.Kind.CHANGE, request, origin), Function.identity());
    }

    /** As {@link #make} of what can be decided here; null when the queen-bee has to be asked. */
    @Nullable
    CompletableFuture<QueenReply> decide(QueenRequest.Builder request, @Nullable CacheView origin) {
        DecidedChanges.Made made = decided.make(request.build(), origin, node -> {}, true);
        return made == null ? null : made.told();
    }

    /**
     * As {@link #decide} of what opens a file, which is not held for others to go along.
     *
     * @param made is shown what was made, before she is asked
     */
    DecidedChanges.@Nullable Made decideToOpen(
            QueenRequest.Builder request, @Nullable CacheView origin, Consumer<Node> made) {
        return decided.make(request.build(), origin, made, false);
    }

    /**
     * Asks, and answers what {@code use} makes of the queen-bee's answer. Waits for its turn, and in the end until her
     * disk is not too far behind. A large request waits for several places: what all that are under way leave behind
     * must fit into a registration.
     */
    <T> CompletableFuture<T> ask(QueenCall call, Function<QueenReply, T> use) {
        return limit.run(1 + call.bytes() / BYTES_IN_PLACE, () -> call.run(use).thenCompose(this::whenThereIsRoom));
    }

    /** As {@link #ask} of what leaves nothing that her disk has to keep. */
    CompletableFuture<QueenReply> askInTurn(QueenCall call) {
        return limit.run(call::run);
    }

    /** What was done, when the queen-bee's disk is not too far behind. */
    <T> CompletableFuture<T> whenThereIsRoom(T changed) {
        return answered.isFull() || opens.hasManyEnded(answered.durable())
                ? calls.ofHerDisk(QueenRequest.newBuilder().setSync(Sync.getDefaultInstance()))
                        .run()
                        .handle((synced, failure) -> changed)
                : CompletableFuture.completedFuture(changed);
    }

    /** Shows the ids of requests that wait because so many changes of this desktop are under way. */
    void forEachWaiting(LongConsumer visitor) {
        limit.forEachWaiting(visitor);
    }
}
