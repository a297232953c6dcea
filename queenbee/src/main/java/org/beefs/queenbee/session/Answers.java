package org.beefs.queenbee.session;

import java.util.NavigableMap;
import java.util.TreeMap;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.journal.StateBatch;
import org.beefs.queenbee.journal.StateKey;
import org.jspecify.annotations.Nullable;

/**
 * Answers to a session's numbered requests that it has not acknowledged yet, so that a request sent again is answered
 * as at first. An answer to a change is written with it; a refusal, which changed nothing, only has to outlive the
 * connection and stays in memory. Bounded: only sequences below {@code acknowledged + span} are admitted, so that the
 * oldest request always has a place.
 */
public final class Answers {
    private record Answer(QueenReply reply, boolean written) {}

    private final long session;
    private final NavigableMap<Long, Answer> answers = new TreeMap<>();
    private long acknowledged = 1;

    Answers(long session) {
        this.session = session;
    }

    public @Nullable QueenReply find(long sequence) {
        Answer answer = answers.get(sequence);
        return answer == null ? null : answer.reply;
    }

    /** Whether the session has said that it has the answer: the request is an old duplicate. */
    public boolean isAcknowledged(long sequence) {
        return sequence < acknowledged;
    }

    /** Whether the request is so far ahead of the oldest unacknowledged one that its answer has no place. */
    public boolean isBeyond(long sequence, int span) {
        return sequence - acknowledged >= span;
    }

    /** Keeps the answer to a request that changed nothing. */
    public void keep(long sequence, QueenReply reply) {
        answers.put(sequence, new Answer(reply, false));
    }

    /** Keeps the answer to a change, in the same batch as the change. */
    public void write(long sequence, QueenReply reply, StateBatch batch) {
        answers.put(sequence, new Answer(reply, true));
        batch.put(StateKey.answer(session, sequence), () -> reply);
    }

    /** The session has all answers below a sequence. */
    public void acknowledge(long below, StateBatch batch) {
        if (below > acknowledged) {
            acknowledged = below;
            forget(answers.headMap(below, false), batch);
        }
    }

    /**
     * The session ends: what is still to be known of its changes is remembered. Each has its time as the ctime of the
     * inode that it has answered.
     */
    void forgetAll(StateBatch batch, FormerDecisions decisions) {
        answers.values().stream()
                .filter(answer -> answer.reply.hasNode())
                .map(answer -> answer.reply.getNode().getAttributes())
                .forEach(made -> decisions.add(made.getInode(), made.getCtime()));
        forget(answers, batch);
    }

    void load(long sequence, QueenReply reply) {
        answers.put(sequence, new Answer(reply, true));
    }

    private void forget(NavigableMap<Long, Answer> old, StateBatch batch) {
        old.forEach((sequence, answer) -> {
            if (answer.written) {
                batch.delete(StateKey.answer(session, sequence));
            }
        });
        old.clear();
    }
}
