package org.beefs.queenbee.server;

import java.util.ArrayList;
import java.util.List;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Service;
import org.beefs.common.wire.QueenReply;

/** Replies of one pass, held back until its batch is written. Belongs to the namespace thread. */
final class Outbox {
    private record Outgoing(Service.Responder responder, QueenReply reply) {}

    private List<Outgoing> replies = new ArrayList<>();

    void add(Service.Responder responder, QueenReply reply) {
        replies.add(new Outgoing(responder, reply));
    }

    void refuse(Service.Responder responder, PosixException why) {
        add(responder, QueenReply.newBuilder().setFailure(why.toFailure()).build());
    }

    /**
     * Sends everything.
     *
     * @param durable the journal sequence that is on disk
     */
    void send(long durable) {
        List<Outgoing> sending = replies;
        replies = new ArrayList<>();
        for (Outgoing outgoing : sending) {
            outgoing.responder.answer(
                    outgoing.reply.toBuilder().setDurableSequence(durable).build());
        }
    }

    void discard() {
        replies = new ArrayList<>();
    }
}
