package org.beefs.honeycomb.server;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.beefs.common.rpc.Reconnector;

/**
 * Carries each numbered request of one session out at most once: a request that comes again while the first is under
 * way waits for the same answer, and one that was answered gets that answer again. Not thread-safe.
 *
 * <p>Bounded: only sequences below {@code acknowledged + span} are admitted, so that the oldest unanswered request of a
 * session always has a place. {@link #WAITERS} senders of one request are kept, the newest: older ones sent it on
 * connections that are gone.
 *
 * @param <R> an answer
 */
final class SequencedAnswers<R> {
    /** A span that fits what one {@link Reconnector} can have under way. */
    static final int DEFAULT_SPAN = Reconnector.MAX_CALLS;

    /** Senders of one request that may wait for its answer. */
    static final int WAITERS = 4;

    /** What to do with a request. */
    enum Admission {
        /** Carry it out; {@link #answer} or {@link #abandon} must follow. */
        NEW,
        /** Nothing: it is under way, and the waiter gets its answer. */
        IN_PROGRESS,
        /** Nothing: it was answered before, and the waiter has just got that answer. */
        ANSWERED,
        /** Nothing: the session said that it has the answer, or does not want it any more. */
        FORGOTTEN,
        /** Answer EAGAIN: too many requests are not acknowledged. The waiter gets nothing. */
        FULL
    }

    private final int span;
    private final TreeMap<Long, R> answered = new TreeMap<>();
    private final Map<Long, Deque<Consumer<? super R>>> inProgress = new HashMap<>();
    private long acknowledged = 1;

    SequencedAnswers() {
        this(DEFAULT_SPAN);
    }

    /** Keeps at most so many requests, answered or not. */
    SequencedAnswers(int span) {
        this.span = span;
    }

    /** A request came, with its sequence above 0 and the one who waits for its answer. */
    Admission begin(long sequence, Consumer<? super R> waiter) {
        if (sequence < acknowledged) {
            return Admission.FORGOTTEN;
        }
        R known = answered.get(sequence);
        if (known != null) {
            waiter.accept(known);
            return Admission.ANSWERED;
        }
        Deque<Consumer<? super R>> waiters = inProgress.get(sequence);
        if (waiters != null) {
            if (waiters.size() == WAITERS) {
                waiters.removeFirst();
            }
            waiters.addLast(waiter);
            return Admission.IN_PROGRESS;
        }
        if (sequence - acknowledged >= span) {
            return Admission.FULL;
        }
        inProgress.put(sequence, new ArrayDeque<>(List.of(waiter)));
        return Admission.NEW;
    }

    /** The request was carried out: all who wait get the answer, and it is kept until it is acknowledged. */
    void answer(long sequence, R answer) {
        if (sequence >= acknowledged) {
            answered.put(sequence, answer);
        }
        Deque<Consumer<? super R>> waiters = inProgress.remove(sequence);
        if (waiters != null) {
            waiters.forEach(waiter -> waiter.accept(answer));
        }
    }

    /** The request was not carried out and left no trace: those who wait get the answer, but a retry begins anew. */
    void abandon(long sequence, R answer) {
        Deque<Consumer<? super R>> waiters = inProgress.remove(sequence);
        if (waiters != null) {
            waiters.forEach(waiter -> waiter.accept(answer));
        }
    }

    /** The session needs no answer below this sequence any more. Going back has no effect. */
    void acknowledge(long below) {
        if (below > acknowledged) {
            acknowledged = below;
            answered.headMap(below).clear();
        }
    }
}
