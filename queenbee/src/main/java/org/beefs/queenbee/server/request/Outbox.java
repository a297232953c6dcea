package org.beefs.queenbee.server.request;

import java.util.ArrayList;
import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Service;
import org.beefs.common.wire.QueenReply;

/** Replies of one pass, held back until its batch is written. Belongs to the namespace thread. */
public final class Outbox {
    private record Outgoing(Service.Responder responder, QueenReply reply) {}

    private record Postponed(Service.Responder responder, PosixException why) {}

    private List<Postponed> postponed = new ArrayList<>();
    private List<Outgoing> replies = new ArrayList<>();

    void add(Service.Responder responder, QueenReply reply) {
        replies.add(new Outgoing(responder, reply));
    }

    void refuse(Service.Responder responder, PosixException why) {
        add(responder, QueenReply.newBuilder().setFailure(why.toFailure()).build());
    }

    /** The request was not carried out for want of room, and may be sent again. */
    void postpone(Service.Responder responder, String why) {
        postponed.add(new Postponed(responder, new PosixException(Errno.EAGAIN, why)));
    }

    /**
     * Sends everything.
     *
     * @param durable the journal sequence that is on disk
     */
    public void send(long durable) {
        List<Outgoing> sending = replies;
        List<Postponed> returning = postponed;
        discard();
        returning.forEach(request -> request.responder.fail(request.why));
        for (Outgoing outgoing : sending) {
            outgoing.responder.answer(
                    outgoing.reply.toBuilder().setDurableSequence(durable).build());
        }
    }

    public void discard() {
        replies = new ArrayList<>();
        postponed = new ArrayList<>();
    }
}
