package org.beefs.queenbee.server;

import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.queenbee.journal.Journal;
import org.beefs.queenbee.namespace.Caller;
import org.beefs.queenbee.namespace.PackedTime;
import org.beefs.queenbee.operations.Operations;
import org.beefs.queenbee.operations.ParkedException;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Repetition;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.session.Session;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens to a request: whose it is, whether it was answered before, running its operation, keeping its answer. Belongs
 * to the namespace thread.
 */
final class Requests {
    private static final Logger LOG = LoggerFactory.getLogger(Requests.class);

    private final QueenState state;
    private final Operations operations;
    private final Repetition repetition;
    private final Outbox outbox;
    private final SyncWaiters syncs;
    private final ParkingLot parkingLot;

    Requests(QueenState state, Outbox outbox, SyncWaiters syncs) {
        this.state = state;
        this.outbox = outbox;
        this.syncs = syncs;
        operations = new Operations(state);
        repetition = new Repetition(state);
        parkingLot = new ParkingLot(state.config().maxParked());
    }

    void handle(Incoming incoming) {
        QueenRequest body = incoming.body();
        Session session = state.sessions().find(body.getSession());
        if (needsSession(body)) {
            // What still comes over a connection that the session has left was sent again over the new one.
            if (session == null || !incoming.connection().equals(session.connection())) {
                outbox.add(
                        incoming.responder(),
                        QueenReply.newBuilder().setUnknownSession(true).build());
                return;
            }
            session.heard(state.clock().bootNanos());
            session.answers()
                    .acknowledge(body.getAcknowledged(), state.journal().batch());
            if (isNumbered(body) && isAnswered(incoming, session)) {
                return;
            }
        }
        if (body.getOperationCase() == OperationCase.SYNC) {
            syncs.add(state.journal(), incoming.responder());
        } else {
            run(incoming, needsSession(body) ? session : null);
        }
    }

    /** Runs everything again that is parked. */
    void runParked() {
        List<Incoming> parked = parkingLot.takeAll();
        parked.forEach(this::handle);
    }

    private static boolean needsSession(QueenRequest body) {
        return switch (body.getOperationCase()) {
            case REGISTER, HIVE_STATUS -> false;
            default -> true;
        };
    }

    /** Releases are left out: doing one again does no harm, and it must undo what a registration has reported meanwhile. */
    private static boolean isNumbered(QueenRequest body) {
        return body.getSequence() != 0 && body.getOperationCase() != OperationCase.RELEASE;
    }

    private boolean isAnswered(Incoming incoming, Session session) {
        QueenRequest body = incoming.body();
        QueenReply stored = session.answers().find(body.getSequence());
        if (stored != null) {
            repetition.restore(body, stored, session);
            outbox.add(incoming.responder(), stored);
            return true;
        }
        if (session.answers().isAcknowledged(body.getSequence())) {
            outbox.refuse(
                    incoming.responder(),
                    new PosixException(Errno.ECANCELED, "the request was answered, and its answer acknowledged"));
            return true;
        }
        if (session.answers().isBeyond(body.getSequence(), state.config().maxAnswers())) {
            outbox.postpone(incoming.responder(), "the session has too many answers that it has not acknowledged");
            return true;
        }
        return false;
    }

    private void run(Incoming incoming, @Nullable Session session) {
        QueenRequest body = incoming.body();
        long before = state.journal().applied();
        QueenReply.Builder reply = QueenReply.newBuilder();
        try {
            operations.of(body.getOperationCase()).run(request(incoming, session), reply);
        } catch (ParkedException wait) {
            unchanged(before, wait);
            park(incoming);
            return;
        } catch (PosixException failure) {
            unchanged(before, failure);
            reply.clear().setFailure(failure.toFailure());
        } catch (RuntimeException defect) {
            unchanged(before, defect);
            LOG.error("a defect: {} failed", body.getOperationCase(), defect);
            reply.clear()
                    .setFailure(new PosixException(Errno.EIO, "a defect of the queen-bee; see its log").toFailure());
        }
        answer(incoming, session, reply, state.journal().applied() != before);
    }

    private Request request(Incoming incoming, @Nullable Session session) {
        QueenRequest body = incoming.body();
        Caller caller = body.hasCredentials() ? new Caller(body.getCredentials()) : Caller.ROOT;
        return new Request(
                body,
                session,
                caller,
                incoming.connection(),
                PackedTime.of(state.clock().now()));
    }

    private void answer(Incoming incoming, @Nullable Session session, QueenReply.Builder reply, boolean changed) {
        Journal journal = state.journal();
        if (changed) {
            reply.setSequence(journal.applied());
        }
        QueenReply answer = reply.build();
        boolean lives = session != null && state.sessions().find(session.number()) == session;
        if (session != null && lives && isNumbered(incoming.body())) {
            long sequence = incoming.body().getSequence();
            if (changed) {
                session.answers().write(sequence, answer, journal.batch());
            } else {
                session.answers().keep(sequence, answer);
            }
        }
        outbox.add(incoming.responder(), answer);
    }

    private void park(Incoming incoming) {
        if (!parkingLot.park(incoming)) {
            outbox.postpone(incoming.responder(), "too many requests wait already");
        }
    }

    /** An operation that fails has changed nothing; otherwise memory and answer contradict each other. */
    private void unchanged(long before, RuntimeException failure) {
        if (state.journal().applied() != before) {
            throw new IllegalStateException("an operation failed after it had changed something", failure);
        }
    }
}
