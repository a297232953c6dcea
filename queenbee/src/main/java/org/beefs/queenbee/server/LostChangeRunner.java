package org.beefs.queenbee.server;

import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.AnsweredChange;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Register;
import org.beefs.queenbee.lease.Clearance;
import org.beefs.queenbee.lease.ParkedException;
import org.beefs.queenbee.namespace.PackedTime;
import org.beefs.queenbee.operations.AllOrNothing;
import org.beefs.queenbee.operations.Choice;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.server.request.Operations;
import org.beefs.queenbee.server.request.Requests;
import org.beefs.queenbee.session.LostChanges;
import org.beefs.queenbee.session.LostChanges.Lost;
import org.beefs.queenbee.session.Session;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes changes again that were lost with the queen-bee's power, when all who may know of some have come. They are
 * carried out as any request, with the same checks, numbers and times as at first. Belongs to the namespace thread.
 */
final class LostChangeRunner {
    private static final Logger LOG = LoggerFactory.getLogger(LostChangeRunner.class);

    private final QueenState state;
    private final Operations operations;
    private final NamesAtFirst names;

    LostChangeRunner(QueenState state, Operations operations) {
        this.state = state;
        this.operations = operations;
        names = new NamesAtFirst(state.namespace());
    }

    void run() {
        LostChanges lost = state.lostChanges();
        if (!lost.isComplete(state.grace().isTimeOver())) {
            return;
        }
        List<Lost> all = lost.takeAll();
        long made = all.stream().filter(this::makeAgain).count();
        lost.madeAgain();
        state.writeHive(); // with these: a start after this one need not expect them any more
        if (!all.isEmpty()) {
            LOG.warn(
                    "the queen-bee's power failed before {} changes that desktops know of were on disk: {} of them were made again",
                    all.size(),
                    made);
        }
    }

    private boolean makeAgain(Lost lost) {
        Session session = sessionOf(lost.broughtBy());
        Clearance clearance = Clearance.waitingForNobody(session);
        try {
            if (session == null) {
                throw new PosixException(Errno.ESTALE, "its session has ended");
            }
            names.check(lost.change());
            Request request = request(session, lost.change(), clearance);
            QueenReply.Builder reply = QueenReply.newBuilder();
            AllOrNothing.run(
                    state.journal(),
                    () -> operations.of(request.body().getOperationCase()).run(request, reply));
            if (reply.hasFailure()) {
                tellOf(lost, reply.getFailure().getReason());
            }
            return !reply.hasFailure();
        } catch (PosixException | ParkedException | IllegalStateException e) {
            tellOf(lost, e.getMessage());
            return false;
        } finally {
            state.leases().over(clearance);
        }
    }

    private static void tellOf(Lost lost, @Nullable String why) {
        LOG.warn(
                "{} of {} cannot be made again: {}",
                lost.change().getRequest().getOperationCase(),
                lost.broughtBy().getDesktop(),
                why);
    }

    private Request request(Session session, AnsweredChange change, Clearance clearance) {
        QueenRequest body = asAtFirst(change.getRequest());
        long time = change.hasTime()
                ? PackedTime.of(change.getTime())
                : PackedTime.of(state.clock().now());
        Choice choice = new Choice(change.getInode(), change.getHoneycomb(), change.getEpoch());
        return new Request(body, session, Requests.caller(body), LocalCaller.INSTANCE, time, clearance, choice);
    }

    /** A file that was made was not there: what has its name now is another one, and is not opened in its place. */
    private static QueenRequest asAtFirst(QueenRequest body) {
        return body.hasCreate()
                ? body.toBuilder()
                        .setCreate(body.getCreate().toBuilder().setExclusive(true))
                        .build()
                : body;
    }

    /** Null when it has ended. */
    private @Nullable Session sessionOf(Register register) {
        Session session = state.sessions().find(register.getSession());
        return session != null && session.process() == register.getProcess() ? session : null;
    }
}
