package org.beefs.honeybee.queen;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Link;
import org.beefs.common.rpc.RequestWindow;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.honeybee.cache.CacheView;
import org.beefs.honeybee.cache.Decided;
import org.beefs.honeybee.cache.MetadataCache;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes that are made on this desktop, under delegations, before the queen-bee is asked: programs go on at once, and
 * she is asked in the same moment, but for attributes, which may wait for {@link #HELD} so that what is set next goes
 * along. She is asked in the order in which they were made, and before whatever is asked later; a registration brings
 * those that she has not answered. Thread-safe; no method waits.
 *
 * <p>At most {@link DecidedLog#MOST} are unanswered: so many that programs hardly ever wait, and few enough for a
 * registration, and for a recall to be answered soon. Each is in the log before a program hears of it.
 */
final class DecidedChanges implements Registration.Decisions {
    /** How long a change may be held: as long as messages are that nobody waits for. */
    private static final Duration HELD = Duration.ofMillis(Link.UNHURRIED_MILLIS);

    /**
     * Bytes of the largest change that is decided here: without what a decision and numbers add to it, 67 at most, and
     * two times and a handle of an earlier change, 49.
     */
    private static final int LARGEST = DecidedLog.LARGEST - 160;

    private static final Logger LOG = LoggerFactory.getLogger(DecidedChanges.class);

    /**
     * The newest change, which is not asked for yet. Programs that unpack or copy a file set its owner, mode and times
     * one after the other: so these become one request.
     *
     * @param number in the log
     */
    private record Held(Decided decided, long number, CompletableFuture<QueenReply> answer) {}

    private record Unanswered(QueenCall call, CompletableFuture<?> answer) {}

    /**
     * A change that was made.
     *
     * @param answer the queen-bee's; fails with EIO when there is none, or she refuses it
     */
    record Made(Decided decided, CompletableFuture<QueenReply> answer) {
        /** What she is going to answer. Done when the kernels of this desktop know. */
        CompletableFuture<QueenReply> told() {
            return decided.tell().get().thenApply(done -> decided.reply());
        }
    }

    private final MetadataCache cache;
    private final Registration registration;

    /** Null for nothing to be decided here. */
    private final @Nullable DecidedLog log;

    private final Timers timers;
    private final BooleanSupplier possible;
    private final UntoldOpens untold;
    private final QueenCalls calls;
    private final Map<Long, Unanswered> unanswered = new ConcurrentHashMap<>();

    // Guarded by this, as is the order of decisions and of what is sent.
    private long last;
    private boolean sendingLater;

    /** The change that is held: in the log, and not among the unanswered. */
    private @Nullable Held held;

    /**
     * Whether what is or was held is not on its way to her yet: who asks for something else waits for the lock then,
     * and comes behind it. A release that overtook times which were set through its handle would let her open that
     * again, for good. Written under the lock.
     */
    private volatile boolean unsent;

    /** @param possible whether what is asked now goes out at once */
    DecidedChanges(SessionParts parts, Registration registration, BooleanSupplier possible, QueenCalls calls) {
        this.cache = parts.cache();
        this.registration = registration;
        this.log = parts.desktop().log();
        this.timers = parts.timers();
        this.possible = possible;
        this.untold = parts.untold();
        this.calls = calls;
    }

    /**
     * Makes a change; null when the queen-bee has to be asked first. The kernels of this desktop are still to be told.
     *
     * @param made is shown what was made, before she is asked
     * @param mayWait whether attributes may wait for others that are set next; not those that are set through a handle
     *     of their own, which is released soon
     */
    synchronized @Nullable Made make(
            QueenRequest change, @Nullable CacheView origin, Consumer<Node> made, boolean mayWait) {
        DecidedLog safe = log;
        if (safe == null
                || unanswered.size() + (held == null ? 0 : 1) >= DecidedLog.MOST
                || !safe.hasRoom()
                || change.getSerializedSize() > LARGEST
                || !possible.getAsBoolean()
                || !untold.tell().isDone()) { // another thread is telling her: she must not hear of a removal first
            return null;
        }
        Decided decided = cache.decide(change, origin, untold::isEmpty); // who opens later finds it decided
        if (decided == null) {
            return null;
        }
        made.accept(decided.reply().getNode());
        return new Made(decided, mayWait && decided.mayTakeMore() ? hold(decided, safe) : askNext(decided, safe));
    }

    private CompletableFuture<QueenReply> askNext(Decided decided, DecidedLog safe) {
        sendHeld();
        CompletableFuture<QueenReply> answer = new CompletableFuture<>();
        ask(decided, safe, answer);
        return answer;
    }

    private CompletableFuture<QueenReply> hold(Decided decided, DecidedLog safe) {
        Held before = held;
        Decided together = before == null ? null : before.decided.with(decided);
        if (before == null || together == null) {
            sendHeld();
            return hold(decided, safe, new CompletableFuture<>());
        }
        hold(together, safe, before.answer);
        safe.remove(before.number);
        cache.putTogether(before.decided);
        return before.answer;
    }

    private CompletableFuture<QueenReply> hold(Decided decided, DecidedLog safe, CompletableFuture<QueenReply> answer) {
        Held newest = new Held(decided, ++last, answer);
        safe.add(newest.number, decided.request());
        held = newest;
        unsent = true;
        if (!sendingLater) {
            sendingLater = true;
            timers.schedule(HELD, this::sendNow);
        }
        return answer;
    }

    private synchronized void sendNow() {
        sendingLater = false;
        sendHeld();
    }

    /** What is held is asked for: whatever else is asked from now on comes behind it. */
    void sendHeld() {
        if (unsent) {
            askForHeld();
        }
    }

    private synchronized void askForHeld() {
        Held newest = held;
        DecidedLog safe = log;
        if (newest != null && safe != null) {
            held = null;
            ask(newest.decided, safe, newest.answer);
            safe.remove(newest.number); // it is there with its number in the session now
            unsent = false;
        }
    }

    private void ask(Decided decided, DecidedLog safe, CompletableFuture<QueenReply> answer) {
        long number = ++last;
        QueenCall call = calls.decided(decided);
        unanswered.put(number, new Unanswered(call, answer.exceptionally(failure -> QueenReply.getDefaultInstance())));
        CompletableFuture<QueenReply> asked = call.run();
        safe.add(number, call.numberedIn(registration.window()));
        asked.whenComplete((reply, failure) -> {
            unanswered.remove(number);
            if (call.isAnswered()) {
                safe.remove(number); // otherwise the next process brings it
            }
            if (failure == null) {
                answer.complete(reply);
            } else {
                failed(decided, failure);
                answer.completeExceptionally(
                        new PosixException(Errno.EIO, "the file was made here and is not made in the hive"));
            }
        });
    }

    /** The queen-bee refuses a change that programs believe was made: what is known here is wrong then. */
    private void failed(Decided decided, Throwable failure) {
        cache.answeredDecided(decided, 0, null);
        cache.drop();
        LOG.warn(
                "{} of inode {} was made here and is not made in the hive: {}",
                decided.request().getOperationCase(),
                decided.request().getDecision().getInode(),
                Failures.toPosix(failure).getMessage());
    }

    @Override
    public void brought() {
        if (log != null) {
            log.forgetLeft();
        }
    }

    /** Done when all that was made before this is answered, or never will be. */
    synchronized CompletableFuture<Void> answered() {
        sendHeld();
        Collection<Unanswered> now = unanswered.values();
        return now.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.allOf(now.stream().map(Unanswered::answer).toArray(CompletableFuture[]::new));
    }

    /**
     * The changes that a registration brings, in their order: first what the former process has left. Whatever is
     * decided later is asked for behind that.
     */
    @Override
    public synchronized List<QueenRequest> toWire(RequestWindow window) {
        sendHeld();
        List<QueenRequest> requests = new ArrayList<>(log == null ? List.of() : log.left());
        unanswered.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(one -> requests.add(one.getValue().call().numberedIn(window)));
        return requests;
    }
}
