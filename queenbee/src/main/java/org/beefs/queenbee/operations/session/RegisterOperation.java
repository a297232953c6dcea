package org.beefs.queenbee.operations.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.OpenFile;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.RecordsState;
import org.beefs.common.wire.Register;
import org.beefs.common.wire.Registered;
import org.beefs.common.wire.ReplicaName;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.journal.Numbering;
import org.beefs.queenbee.lease.ParkedException;
import org.beefs.queenbee.lease.Wait;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.session.OpenHandle;
import org.beefs.queenbee.session.Session;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A desktop daemon comes, or comes back. Doing it twice does no harm, so that it needs no number. */
public final class RegisterOperation implements Operation {
    private static final Logger LOG = LoggerFactory.getLogger(RegisterOperation.class);
    private final QueenState state;
    private final RegistrationChecks checks;
    private final SessionEnd sessionEnd;
    private final DecidedChanges decided;
    private final NewInodesOffer newInodes;
    private final LostReleases lostReleases;

    public RegisterOperation(QueenState state, DecidedChanges decided) {
        this.state = state;
        this.decided = decided;
        checks = new RegistrationChecks(state);
        newInodes = new NewInodesOffer(state);
        sessionEnd = new SessionEnd(state);
        lostReleases = new LostReleases(state);
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        Register register = request.body().getRegister();
        checks.check(register);
        if (!state.isReadOnly()) {
            awaitLostChanges(register);
            giveUpWhatOnlyItKnows(register.getHoneycomb().getRecords(), register.getDesktop());
            goOnAboveInodes(register.getHoneycomb().getHighestInode(), register.getDesktop());
        }
        List<QueenRequest> unanswered = state.isReadOnly() ? List.of() : decided.unanswered(register);
        goOnAboveDecided(unanswered, register.getDesktop());
        Session session = sessionFor(register);
        // What was decided may remove names of files that were opened before.
        reassert(register, session);
        decided.carryOut(unanswered, session, register, request.connection());
        state.leases().end(session);
        state.sessions().registered(session, request.connection(), register.getNumber());
        session.setMounts(register.getMountsList());
        session.setUnreached(state.honeycombs().numbersOf(register.getUnreachedList()));
        session.setProgram(register.getProgram());
        acknowledge(register, session);
        // Before anything that may end another session, and with it the wait for opens that are not known yet.
        List<Long> lost = takeOpenFiles(register, session);
        connectHoneycomb(register, session);
        List<Long> overtaken = overtaken(register, session);
        if (!state.isReadOnly()) {
            lostReleases.suspect(register);
        }
        state.leftFiles().decideWaiting();
        reply.setRegistered(registered(register, session, lost, overtaken));
    }

    /** A new session counts from the beginning: what was acknowledged in the one before means nothing in it. */
    private void acknowledge(Register register, Session session) {
        if (session.number() == register.getSession()) {
            session.answers()
                    .acknowledge(register.getAcknowledged(), state.journal().batch());
        }
    }

    private Registered.Builder registered(Register register, Session session, List<Long> lost, List<Long> overtaken) {
        return Registered.newBuilder()
                .setSession(session.number())
                .setFormerEnded(state.sessions().whyEnded(register.getSession()))
                .setHive(state.hive())
                .setIncarnation(state.incarnation())
                .setLeaseMillis((int) state.config().lease().toMillis())
                .setHeartbeatMillis((int) state.config().heartbeat().toMillis())
                .setFenceMillis(fenceMillis())
                .setCacheMillis((int) state.config().cacheTime().toMillis())
                .setLongestWaitMillis((int) longestWait().toMillis())
                .setNewInodes(newInodes.with(session, 0))
                .addAllLostHandles(lost)
                .addAllOvertaken(overtaken)
                .addAllLostReplicas(state.isReadOnly() ? List.of() : lostReplicas(register.getHoneycomb(), session));
    }

    /** Whether that is over is looked at with each heartbeat. */
    private Duration longestWait() {
        return state.replication()
                .securing()
                .longest()
                .plus(state.config().heartbeat().multipliedBy(2));
    }

    private void awaitLostChanges(Register register) {
        if (state.lostChanges().take(register, namesUnknown(register))) {
            throw new ParkedException(
                    Wait.Occasion.CHANGED_AGAIN, "what was lost with the queen-bee's power is being made again");
        }
    }

    /**
     * Whether it has a file open, or has written one in what is lost, that is not there, and that it has not made
     * itself with what it decided.
     */
    private boolean namesUnknown(Register register) {
        Set<Long> decidedHere = register.getDecidedList().stream()
                .map(request -> request.getDecision().getInode())
                .collect(Collectors.toSet());
        LongStream opened = register.getOpenFilesList().stream().mapToLong(OpenFile::getInode);
        LongStream ended =
                state.lostChanges().mayHaveLostPower() ? lostReleases.in(register) : lostReleases.answered(register);
        return LongStream.concat(opened, ended)
                .anyMatch(number ->
                        !decidedHere.contains(number) && state.namespace().find(number) == null);
    }

    /** How long a desktop goes on changing contents without hearing the queen-bee; 0 while nothing may be changed. */
    private int fenceMillis() {
        return state.isReadOnly()
                ? 0
                : (int) state.config()
                        .lease()
                        .minus(state.config().fenceMargin())
                        .toMillis();
    }

    private Session sessionFor(Register register) {
        Session old = state.sessions().ofDesktop(register.getDesktop());
        if (old != null && old.process() == register.getProcess()) {
            return old;
        }
        if (old != null && checks.isOver(old, register)) {
            sessionEnd.end(old, "the daemon was started again");
        } else if (old != null) {
            sessionEnd.endEarly(old, "another daemon registers with the same desktop name");
        }
        return state.sessions().begin(register.getDesktop(), register.getProcess(), state.numbering(), state.journal());
    }

    /** The honeycomb's written replicas that are not the file any more, or not the one that is written. */
    private List<ReplicaName> lostReplicas(HoneycombOffer offer, Session session) {
        return state.honeycombs()
                .servedBy(session)
                .map(honeycomb -> offer.getWrittenList().stream()
                        .filter(replica -> !isPrimary(replica, honeycomb))
                        .toList())
                .orElse(List.of());
    }

    private boolean isPrimary(ReplicaName replica, Honeycomb honeycomb) {
        Inode inode = state.namespace().find(replica.getInode());
        return inode != null
                && inode.isRegular()
                && inode.honeycomb() == honeycomb.number()
                && inode.generation() == replica.getGeneration()
                && inode.epoch() == replica.getEpoch();
    }

    private void connectHoneycomb(Register register, Session session) {
        if (!register.hasHoneycomb()) {
            state.honeycombs().disconnect(session);
            return;
        }
        Honeycomb known = state.honeycombs().find(register.getHoneycomb().getUuid());
        if (known != null) {
            Session server = known.session();
            if (server != null && server != session) {
                sessionEnd.endEarly(server, "its honeycomb has moved to desktop " + session.desktop());
            }
            state.errandRequests().restart(known);
        }
        state.honeycombs().connect(register.getHoneycomb(), session);
        Honeycomb connected = state.honeycombs().servedBy(session).orElseThrow();
        state.records().connected(connected, register.getHoneycomb().getRecords());
        state.replication().connected(connected);
    }

    /**
     * Gives up changes that only the catalog knows, which is wanted: otherwise the desktop was refused. No later change
     * gets the number of one that the catalog knows.
     */
    private void giveUpWhatOnlyItKnows(RecordsState records, String desktop) {
        if (state.olderState().isAhead(records)) {
            state.olderState().giveUp(records);
            writeNumbers();
            LOG.warn(
                    "changes that only catalogs know of, such as that on {}, are given up, as queenbee.accept-older-state says; incarnation"
                            + " {} goes on with higher numbers",
                    desktop,
                    state.incarnation());
        }
    }

    /**
     * No file may get the number of a replica that the honeycomb already holds: its content would be the new file's.
     */
    private void goOnAboveInodes(long held, String desktop) {
        long known = Numbering.isGiven(held)
                ? state.namespace().highest()
                : state.namespace().highestOwn();
        if (held > known && held >= state.numbering().base()) {
            goOnAbove(held, desktop, "holds files");
        }
    }

    /** What was decided with numbers of a later queen-bee is made: nobody else is given these, or lower ones. */
    private void goOnAboveDecided(List<QueenRequest> unanswered, String desktop) {
        Numbering numbering = state.numbering();
        long issued = state.namespace().highestOwn();
        unanswered.stream()
                .map(QueenRequest::getDecision)
                .flatMapToLong(decision -> LongStream.concat(
                        LongStream.of(decision.getInode()).filter(number -> !numbering.mayHaveIssued(number, issued)),
                        LongStream.of(decision.getEpoch()).filter(number -> !numbering.mayHaveBegun(number))))
                .filter(number -> !numbering.isBeyond(number))
                .max()
                .ifPresent(highest -> goOnAbove(highest, desktop, "has decided changes"));
    }

    private void goOnAbove(long number, String desktop, String what) {
        state.numbering().addLastChange(state.journal().applied());
        state.numbering().raiseAbove(number);
        writeNumbers();
        LOG.warn(
                "{} {} that were made after the queen-bee's state, which must be an older copy; incarnation {} goes on with"
                        + " higher numbers",
                desktop,
                what,
                state.incarnation());
    }

    private void writeNumbers() {
        state.writeHive();
        state.journal().advance();
    }

    /**
     * Files of which the desktop has held back changes, and which others may have used while its session was away: that
     * needed nobody's leave then.
     */
    private List<Long> overtaken(Register register, Session session) {
        return register.getHeldBackList().stream()
                .filter(number -> session.number() != register.getSession() || !goesOnWriting(session, number))
                .toList();
    }

    private boolean goesOnWriting(Session session, long number) {
        Inode inode = state.namespace().find(number);
        return inode != null && state.opens().continueWriting(session, inode);
    }

    /**
     * Makes the registry say what the daemon says; answers what it can no longer have open. Read-only nothing is lost
     * for good, and nobody is known as a writer: what he has written is found when all is known.
     */
    private List<Long> takeOpenFiles(Register register, Session session) {
        List<Long> unknown = reassert(register, session);
        Set<Long> reported =
                register.getOpenFilesList().stream().map(OpenFile::getHandle).collect(Collectors.toSet());
        for (Map.Entry<Long, OpenHandle> known : List.copyOf(session.handles().entrySet())) {
            // The daemon does not know yet that it has open what it has not heard the answer of.
            boolean unheard = known.getValue().sequence() >= register.getAcknowledged()
                    && known.getValue().sequence() != OpenHandle.REASSERTED;
            if (!reported.contains(known.getKey()) && !unheard) {
                state.opens().release(session, known.getKey(), null);
            }
        }
        return state.isReadOnly() ? List.of() : unknown;
    }

    /** Answers the handles of files that are not there. */
    private List<Long> reassert(Register register, Session session) {
        List<Long> unknown = new ArrayList<>();
        for (OpenFile file : register.getOpenFilesList()) {
            @Nullable Inode inode = state.namespace().find(file.getInode());
            if (inode != null && inode.isRegular()) {
                state.opens().reassert(session, inode, file.getHandle(), file.getWrite() && !state.isReadOnly());
            } else {
                unknown.add(file.getHandle());
            }
        }
        return unknown;
    }
}
