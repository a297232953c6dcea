package org.beefs.queenbee.server.request;

import java.time.Duration;
import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.queenbee.journal.Journal;
import org.beefs.queenbee.lease.Clearance;
import org.beefs.queenbee.lease.ParkedException;
import org.beefs.queenbee.lease.Wait;
import org.beefs.queenbee.namespace.Caller;
import org.beefs.queenbee.namespace.Touched;
import org.beefs.queenbee.operations.AllOrNothing;
import org.beefs.queenbee.operations.Effects;
import org.beefs.queenbee.operations.NamedInodes;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.ReadOnly;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.session.DecidedChanges;
import org.beefs.queenbee.operations.session.LateDecisions;
import org.beefs.queenbee.session.DesktopConnection;
import org.beefs.queenbee.session.Session;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles requests: finds out whose a request is and whether it was answered before, runs its operation, keeps its
 * answer. Belongs to the namespace thread.
 */
public final class Requests {
    private static final Logger LOG = LoggerFactory.getLogger(Requests.class);

    /**
     * From then on a desktop that waits for others is told to ask again, so that it does not take the queen-bee for
     * dead: with a heartbeat's distance more, which may be 5 s, that is less than it waits for one answer
     * ({@code queenDeadline}, 10 s).
     */
    private static final Duration LONGEST_PARKED = Duration.ofSeconds(3);

    /**
     * What has become of a request.
     *
     * @param adapted whether it was carried out otherwise than it was asked for, because it came late
     */
    private record Outcome(boolean changed, boolean adapted) {
        /**
         * Whether its desktop may make it again after a loss of power. What was adapted would then be made as it was
         * asked for, and might concern what is others': so that is answered when it is on disk.
         */
        boolean isToBeKept() {
            return changed && !adapted;
        }
    }

    private final QueenState state;
    private final Operations operations;
    private final Repetition repetition;
    private final Outbox outbox;
    private final SyncWaiters syncs;
    private final Effects effects;
    private final ParkingLot parkingLot;
    private final WaitExplainer waits;
    private final DecidedChanges decided;
    private final LateDecisions lateDecisions;
    private final NamedInodes named;

    public Requests(QueenState state, Operations operations, Outbox outbox, SyncWaiters syncs) {
        this.state = state;
        this.outbox = outbox;
        this.syncs = syncs;
        this.operations = operations;
        repetition = new Repetition(state);
        effects = new Effects(state);
        parkingLot = new ParkingLot(state.config().maxParked());
        waits = new WaitExplainer(state, parkingLot, syncs);
        decided = operations.decided();
        lateDecisions = decided.lateDecisions();
        named = new NamedInodes(state.namespace());
    }

    public void handle(Incoming incoming) {
        long before = CurrentRequest.enter(incoming.request());
        try {
            take(incoming);
        } finally {
            CurrentRequest.leave(before);
        }
    }

    private void take(Incoming incoming) {
        QueenRequest body = incoming.body();
        if (!incoming.needsSession()) {
            run(incoming, null, new Clearance(null));
            return;
        }
        Session session = sessionOf(incoming);
        if (session == null) {
            return;
        }
        session.heard(state.clock().bootNanos());
        if (body.getOperationCase() != OperationCase.HEARTBEAT) {
            session.activity().count(body);
        }
        session.answers().acknowledge(body.getAcknowledged(), state.journal().batch());
        if (body.getSequence() == 0 || !parkingLot.replace(incoming)) {
            serve(incoming, session, clearance(body, session));
        }
    }

    /** Runs those again from the start that are parked for this; false when there are none. */
    public boolean resume(Wait wait) {
        List<Incoming> parked = parkingLot.take(wait);
        if (wait instanceof Clearance clearance && parked.isEmpty()) {
            state.leases().endUnwaited(clearance);
        }
        for (Incoming incoming : parked) {
            CurrentRequest.run(incoming.request(), () -> resume(incoming, wait));
        }
        return !parked.isEmpty();
    }

    private void resume(Incoming incoming, Wait wait) {
        boolean needsSession = incoming.needsSession();
        Session session = needsSession ? sessionOf(incoming) : null;
        Clearance clearance = wait instanceof Clearance mine ? mine : clearance(incoming.body(), session);
        if (!needsSession) {
            run(incoming, null, clearance);
        } else if (session != null) {
            serve(incoming, session, clearance);
        } else {
            state.leases().over(clearance);
        }
    }

    /** The session of a request; null when it is over, and the request was answered so. */
    private @Nullable Session sessionOf(Incoming incoming) {
        Session session = state.sessions().find(incoming.body().getSession());
        // What still comes over a connection that the session has left was sent again over the new one.
        if (session == null || !incoming.connection().equals(session.connection())) {
            outbox.add(
                    incoming.responder(),
                    QueenReply.newBuilder().setUnknownSession(true).build());
            return null;
        }
        return session;
    }

    private void serve(Incoming incoming, Session session, Clearance clearance) {
        QueenRequest body = incoming.body();
        if (body.hasExplainWaits()) {
            outbox.add(incoming.responder(), waits.explain(body.getExplainWaits(), session));
        } else if (state.lostChanges().isPending() && body.getOperationCase() != OperationCase.HEARTBEAT) {
            park(incoming, clearance, Wait.Occasion.CHANGED_AGAIN);
        } else if (body.getOperationCase() == OperationCase.SYNC) {
            syncs.add(state.journal(), incoming, QueenReply.getDefaultInstance());
        } else if (!isNumbered(body) || isAdmitted(incoming, session)) {
            run(incoming, session, clearance);
        } else {
            state.leases().over(clearance);
        }
    }

    /**
     * Whether a request is carried out at most once. Releases are not: doing one again does no harm, and it must undo
     * what a registration has reported meanwhile.
     */
    private static boolean isNumbered(QueenRequest body) {
        return body.getSequence() != 0 && body.getOperationCase() != OperationCase.RELEASE;
    }

    /** Whether the request may be carried out, or was, and its answer is kept. Otherwise it is refused here. */
    private boolean isAdmitted(Incoming incoming, Session session) {
        long sequence = incoming.body().getSequence();
        if (session.answers().isAcknowledged(sequence)) {
            outbox.refuse(
                    incoming.responder(),
                    new PosixException(Errno.ECANCELED, "the request was answered, and its answer acknowledged"));
            return false;
        }
        if (session.answers().isBeyond(sequence, state.config().maxAnswers())) {
            postpone(incoming, "the session has too many answers that it has not acknowledged");
            return false;
        }
        return true;
    }

    private void run(Incoming incoming, @Nullable Session session, Clearance clearance) {
        QueenRequest body = incoming.body();
        QueenReply stored =
                session != null && isNumbered(body) ? session.answers().find(body.getSequence()) : null;
        long before = state.journal().applied();
        QueenReply.Builder reply = QueenReply.newBuilder();
        QueenRequest made = body;
        try {
            made = AllOrNothing.get(state.journal(), () -> {
                ReadOnly.check(body, state.mutator());
                DecidedChanges.check(body);
                Request request = request(incoming, session, clearance);
                if (stored != null) {
                    repetition.restore(operations.of(body.getOperationCase()), request, stored);
                } else {
                    carryOut(request, reply);
                    lateDecisions.made(body, request.body());
                }
                return request.body();
            });
        } catch (ParkedException parked) {
            parkOrPostpone(incoming, clearance, parked);
            return;
        } catch (PosixException failure) {
            reply.clear().setFailure(failure.toFailure());
        } catch (RuntimeException defect) {
            LOG.error("a defect: {} failed", body.getOperationCase(), defect);
            reply.clear()
                    .setFailure(new PosixException(Errno.EIO, "a defect of the queen-bee; see its log").toFailure());
        }
        state.leases().over(clearance);
        if (stored != null) {
            answerAgain(incoming, stored);
        } else {
            Outcome outcome = new Outcome(state.journal().applied() != before, !made.equals(body));
            answer(incoming, session, clearance, reply, outcome);
        }
    }

    private void answerAgain(Incoming incoming, QueenReply stored) {
        if (incoming.body().hasDecision() && stored.getSequence() == 0) {
            syncs.add(state.journal(), incoming, stored); // it may have been adapted
        } else {
            outbox.add(incoming.responder(), stored);
        }
    }

    private void carryOut(Request request, QueenReply.Builder reply) {
        state.leases().beginRun(request.clearance());
        try {
            runOperation(request, reply);
        } finally {
            state.leases().endRun();
        }
    }

    /**
     * Runs the operation. Changes that others have made by themselves are asked for before they could make an answer
     * wrong.
     */
    private void runOperation(Request request, QueenReply.Builder reply) {
        QueenRequest body = request.body();
        Session session = request.knownSession();
        if (session != null) {
            state.leases().requireNoDelegation(request.clearance(), named.of(body));
        }
        boolean isToBeMade =
                !lateDecisions.isMade(body) && (session == null || !lateDecisions.isOvertaken(body, session));
        if (isToBeMade) {
            operations.of(body.getOperationCase()).run(request, reply);
        }
    }

    /** A decided change waits for no holder of leases: what its desktop decided later must not come first. */
    private static Clearance clearance(QueenRequest body, @Nullable Session session) {
        return body.hasDecision() ? Clearance.waitingForNobody(session) : new Clearance(session);
    }

    private Request request(Incoming incoming, @Nullable Session session, Clearance clearance) {
        QueenRequest body = session == null ? incoming.body() : lateDecisions.adapted(incoming.body(), session);
        return new Request(
                body,
                session,
                caller(body),
                incoming.connection(),
                decided.time(body),
                clearance,
                decided.choice(body, session));
    }

    public static Caller caller(QueenRequest body) {
        if (!body.hasCredentials()) {
            return Caller.ROOT;
        }
        return body.hasDecision() ? Caller.allowed(body.getCredentials()) : new Caller(body.getCredentials());
    }

    private void answer(
            Incoming incoming,
            @Nullable Session session,
            Clearance clearance,
            QueenReply.Builder reply,
            Outcome outcome) {
        Journal journal = state.journal();
        // A release that changes nothing itself may follow an open that is not on disk yet.
        if (outcome.isToBeKept() || incoming.body().hasRelease()) {
            reply.setSequence(journal.applied());
        }
        Touched touched = clearance.touched();
        if (session != null && touched != null) {
            effects.add(touched, incoming.body(), session, reply);
        }
        QueenReply answer = reply.build();
        boolean lives = session != null && state.sessions().find(session.number()) == session;
        if (session != null && lives && isNumbered(incoming.body())) {
            keep(incoming.body().getSequence(), Effects.withoutLeases(answer), session, outcome.changed);
        }
        if (outcome.adapted) {
            syncs.add(journal, incoming, Effects.withoutGrants(answer)); // recalls may come before it
        } else if ((outcome.changed && incoming.body().hasRegister())
                || answer.getDrop().getReplicasCount() > 0) {
            // What is made again after a loss of power needs its session and its honeycomb; a replica that is removed
            // at this answer would be lacking if that took the reason.
            syncs.add(journal, incoming, answer);
        } else {
            outbox.add(incoming.responder(), answer);
        }
    }

    private void keep(long sequence, QueenReply answer, Session session, boolean changed) {
        if (changed) {
            session.answers().write(sequence, answer, state.journal().batch());
        } else {
            session.answers().keep(sequence, answer);
        }
    }

    private void parkOrPostpone(Incoming incoming, Clearance clearance, ParkedException parked) {
        if (parked.waitsFor() instanceof Wait.Occasion occasion && isTooLong(incoming, occasion)) {
            state.leases().over(clearance);
            postpone(incoming, parked.reason());
        } else {
            park(incoming, clearance, parked.waitsFor());
        }
    }

    /** Whether the next tick may come too late for a request that is run again with each. */
    private boolean isTooLong(Incoming incoming, Wait.Occasion occasion) {
        boolean isRunAgain = switch (occasion) {
            case HONEYCOMB, PRIMARY, MOVE -> true;
            case SECURED, ROOM, COMPARED, SEARCHED, CHANGED_AGAIN, END_OF_GRACE -> false;
        };
        return isRunAgain
                && Incoming.mayBeOvertaken(incoming.body())
                && state.clock().bootNanos() - incoming.arrived() > LONGEST_PARKED.toNanos();
    }

    private void park(Incoming incoming, Clearance clearance, Wait wait) {
        LOG.debug("{} is parked", incoming.body().getOperationCase());
        boolean parked = parkingLot.park(incoming, wait);
        if (!parked) {
            postpone(incoming, "too many requests wait already");
        }
        if (!parked || wait != clearance) {
            state.leases().over(clearance);
        }
    }

    private void postpone(Incoming incoming, String why) {
        if (Incoming.mayBeOvertaken(incoming.body())) {
            outbox.postpone(incoming.responder(), why);
        } else {
            LOG.info("hangs up on {}: {}", incoming.connection().peer(), why);
            disconnected(incoming.connection());
            incoming.connection().close();
        }
    }

    /** What still comes over this connection belongs to no session. */
    public void disconnected(DesktopConnection connection) {
        state.inventories().closed(connection);
        state.sessions().on(connection).ifPresent(session -> {
            session.disconnected(connection);
            state.honeycombs().disconnect(session);
        });
    }
}
