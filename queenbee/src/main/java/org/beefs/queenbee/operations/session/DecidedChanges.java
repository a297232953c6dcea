package org.beefs.queenbee.operations.session;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Decision;
import org.beefs.common.wire.OpenFile;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.common.wire.Register;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.lease.Clearance;
import org.beefs.queenbee.lease.ParkedException;
import org.beefs.queenbee.namespace.Caller;
import org.beefs.queenbee.namespace.PackedTime;
import org.beefs.queenbee.operations.AllOrNothing;
import org.beefs.queenbee.operations.Choice;
import org.beefs.queenbee.operations.Effects;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.session.DesktopConnection;
import org.beefs.queenbee.session.Session;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes that a desktop has made under a delegation before it asked. They are carried out like all others, but with
 * what it has chosen, and adapted as {@link LateDecisions} says if they come late. Belongs to the namespace thread.
 */
public final class DecidedChanges {
    private static final Logger LOG = LoggerFactory.getLogger(DecidedChanges.class);

    /** What may be decided; anything else would be carried out without asking whether its caller may do that. */
    private static final Set<OperationCase> DECIDABLE = Set.of(
            OperationCase.CREATE,
            OperationCase.MAKE_DIRECTORY,
            OperationCase.UNLINK,
            OperationCase.REMOVE_DIRECTORY,
            OperationCase.RENAME,
            OperationCase.SET_ATTRIBUTES);

    private final QueenState state;
    private final LateDecisions lateDecisions;
    private final Function<OperationCase, Operation> operations;

    public DecidedChanges(QueenState state, Function<OperationCase, Operation> operations) {
        this.state = state;
        this.operations = operations;
        lateDecisions = new LateDecisions(state);
    }

    /**
     * Refuses a request that claims to be decided and cannot be.
     *
     * @throws PosixException EINVAL
     */
    public static void check(QueenRequest body) {
        if (body.hasDecision() && !DECIDABLE.contains(body.getOperationCase())) {
            throw new PosixException(Errno.EINVAL, "no desktop decides " + body.getOperationCase() + " by itself");
        }
    }

    /** Refuses a registration with a change that claims to be decided and cannot be. Fails with EINVAL. */
    static void check(Register register) {
        register.getDecidedList().forEach(decided -> {
            if (!decided.hasDecision()) {
                throw new PosixException(Errno.EINVAL, "a decided change does not say what was decided");
            }
            check(decided);
        });
        register.getChangesList().forEach(change -> check(change.getRequest()));
    }

    /** Decides what becomes of changes that come late. */
    public LateDecisions lateDecisions() {
        return lateDecisions;
    }

    /** The choice of the desktop that has decided a change; none for other changes. */
    public Choice choice(QueenRequest body, @Nullable Session session) {
        return session == null || !body.hasDecision()
                ? Choice.NONE
                : choice(
                        body,
                        state.honeycombs()
                                .servedBy(session)
                                .map(Honeycomb::uuid)
                                .orElse(ByteString.EMPTY));
    }

    private static Choice choice(QueenRequest body, ByteString own) {
        Decision decision = body.getDecision();
        long inode = makesInode(body) ? decision.getInode() : 0;
        if (!body.hasCreate()) {
            return new Choice(inode, ByteString.EMPTY, 0);
        }
        return new Choice(
                inode, decision.getHoneycomb().isEmpty() ? own : decision.getHoneycomb(), decision.getEpoch());
    }

    /** The time at which a request is carried out, packed. */
    public long time(QueenRequest body) {
        return body.hasDecision()
                ? PackedTime.of(body.getDecision().getTime())
                : PackedTime.of(state.clock().now());
    }

    /**
     * The decided changes of a registration that were not answered, as far as the session is known in which they were
     * asked for.
     */
    List<QueenRequest> unanswered(Register register) {
        return register.getDecidedList().stream()
                .filter(decided -> !isAnswered(decided))
                .toList();
    }

    private boolean isAnswered(QueenRequest decided) {
        Session asked = state.sessions().find(decided.getSession());
        long sequence = decided.getSequence();
        return asked != null
                && sequence != 0
                && (asked.answers().isAcknowledged(sequence) || asked.answers().find(sequence) != null);
    }

    /**
     * Carries out what a desktop has decided and was not answered, before its delegations end.
     *
     * @param session the desktop's; another one than they were asked for in if that has ended
     * @param register brings them; its honeycomb may have yet to be connected
     */
    void carryOut(List<QueenRequest> unanswered, Session session, Register register, DesktopConnection connection) {
        Set<Long> open =
                register.getOpenFilesList().stream().map(OpenFile::getHandle).collect(Collectors.toSet());
        unanswered.stream()
                .filter(decided -> !lateDecisions.isMade(decided) && !lateDecisions.isOvertaken(decided, session))
                .forEach(decided -> {
                    carryOutOne(decided, session, register.getHoneycomb().getUuid(), connection);
                    closeForFormer(decided, session, open);
                });
    }

    private void carryOutOne(QueenRequest decided, Session session, ByteString own, DesktopConnection connection) {
        Clearance clearance = Clearance.waitingForNobody(session);
        QueenReply.Builder reply = QueenReply.newBuilder();
        long before = state.journal().applied();
        try {
            // Whenever it was decided: its author has no answer, and may not know that the inode is in the root.
            QueenRequest adapted = lateDecisions.keptFromOthers(lateDecisions.adapted(decided, session));
            Request request = new Request(
                    adapted,
                    session,
                    Caller.allowed(adapted.getCredentials()),
                    connection,
                    time(adapted),
                    clearance,
                    choice(adapted, own));
            AllOrNothing.run(state.journal(), () -> {
                operations.apply(adapted.getOperationCase()).run(request, reply);
                lateDecisions.made(decided, adapted);
            });
            Decision made = decided.getDecision();
            state.sessions().decisions().add(made.getInode(), made.getTime());
        } catch (PosixException failure) {
            failed(decided, session, failure, reply);
        } catch (ParkedException _) {
            failed(decided, session, new PosixException(Errno.EIO, "it would have to wait"), reply);
        } finally {
            state.leases().over(clearance);
        }
        if (state.journal().applied() != before) {
            reply.setSequence(state.journal().applied());
        }
        if (decided.getSession() == session.number() && decided.getSequence() != 0) {
            session.answers()
                    .write(
                            decided.getSequence(),
                            Effects.withoutLeases(reply.build()),
                            state.journal().batch());
        }
    }

    /**
     * Closes what the change has opened if its session is over: then a file is open only if the registration says so.
     *
     * @param open what it says
     */
    private void closeForFormer(QueenRequest decided, Session session, Set<Long> open) {
        long handle = decided.hasCreate()
                ? decided.getCreate().getHandle()
                : decided.getSetAttributes().getHandle();
        if (decided.getSession() != session.number() && !open.contains(handle)) {
            state.opens().release(session, handle, null);
        }
    }

    private static void failed(
            QueenRequest decided, Session session, PosixException failure, QueenReply.Builder reply) {
        reply.clear().setFailure(failure.toFailure());
        LOG.warn(
                "{} of inode {} is a change that {} had decided and cannot be made: {}",
                decided.getOperationCase(),
                decided.getDecision().getInode(),
                session.desktop(),
                failure.getMessage());
    }

    private static boolean makesInode(QueenRequest body) {
        return body.hasCreate() || body.hasMakeDirectory();
    }
}
