package org.beefs.queenbee.server.request;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.beefs.common.config.Count;
import org.beefs.common.posix.FileMode;
import org.beefs.common.rpc.ProtocolBounds;
import org.beefs.common.wire.ExplainWaits;
import org.beefs.common.wire.ExplainedWait;
import org.beefs.common.wire.ExplainedWaits;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.lease.Clearance;
import org.beefs.queenbee.lease.Wait;
import org.beefs.queenbee.lock.Lock;
import org.beefs.queenbee.operations.NamedInodes;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.session.Session;

/** Tells a desktop what its requests wait for. Looks at no more than may be parked. Belongs to the namespace thread. */
final class WaitExplainer {
    /** From so long on a desktop's silence is part of the reason; heartbeats come more often. */
    private static final Duration SILENCE = Duration.ofSeconds(2);

    private final QueenState state;
    private final ParkingLot parkingLot;
    private final SyncWaiters syncs;
    private final NamedInodes named;

    WaitExplainer(QueenState state, ParkingLot parkingLot, SyncWaiters syncs) {
        this.state = state;
        this.parkingLot = parkingLot;
        this.syncs = syncs;
        named = new NamedInodes(state.namespace());
    }

    QueenReply explain(ExplainWaits question, Session session) {
        ExplainedWaits.Builder waits = ExplainedWaits.newBuilder();
        Set<Long> asked = question.getRequestsList().stream()
                .limit(ProtocolBounds.EXPLAINED_WAITS)
                .collect(Collectors.toCollection(HashSet::new));
        parkingLot.forEach(session.number(), (incoming, wait) -> {
            if (asked.remove(incoming.request())) {
                waits.addWaits(of(incoming.request(), reason(wait, incoming.body())));
            }
        });
        asked.stream().filter(syncs::has).forEach(request -> waits.addWaits(of(request, "her disk")));
        question.getTicketsList().stream()
                .limit(ProtocolBounds.EXPLAINED_WAITS - asked.size())
                .forEach(ticket -> state.locks()
                        .inTheWay(session, ticket)
                        .ifPresent(lock -> waits.addWaits(
                                ExplainedWait.newBuilder().setTicket(ticket).setReason(reason(lock)))));
        return QueenReply.newBuilder().setExplainedWaits(waits).build();
    }

    private static ExplainedWait.Builder of(long request, String reason) {
        return ExplainedWait.newBuilder().setRequest(request).setReason(reason);
    }

    private String reason(Lock lock) {
        Session holder = state.sessions().find(lock.owner().session());
        String who = holder == null ? "a desktop that is gone" : named(holder);
        return "a lock that process %d on %s has".formatted(lock.pid(), who);
    }

    private String reason(Wait wait, QueenRequest request) {
        return switch (wait) {
            case Clearance clearance -> named(clearance.awaited()) + " to let go of what it caches";
            case Wait.Occasion.HONEYCOMB -> "a honeycomb with room for a new file to come";
            case Wait.Occasion.MOVE -> "the file's content to be found, or moved, to a desktop that is there";
            case Wait.Occasion.PRIMARY -> primaryOf(request) + " to come back: the file can be written only there";
            case Wait.Occasion.SECURED -> "copies on other desktops' disks";
            case Wait.Occasion.ROOM -> "room in the honeycomb that has the file";
            case Wait.Occasion.COMPARED -> "the replicas of a desktop that has just come to be compared";
            case Wait.Occasion.SEARCHED -> "all files to be looked through";
            case Wait.Occasion.CHANGED_AGAIN -> "changes that her loss of power has taken to be made again" + missing();
            case Wait.Occasion.END_OF_GRACE -> "the end of the grace after her start" + missing();
        };
    }

    private String primaryOf(QueenRequest request) {
        return named.of(request).stream()
                .filter(inode -> FileMode.isRegular(inode.mode()))
                .findFirst()
                .map(inode -> state.honeycombs().of(inode).desktop())
                .orElse("a desktop");
    }

    /** The desktops from before her start that have not come back. */
    private String missing() {
        List<Session> missing = state.sessions().all().stream()
                .filter(session -> !session.hasReturned())
                .toList();
        return missing.isEmpty() ? "" : ", unless %s comes back before".formatted(named(missing));
    }

    private String named(Collection<Session> sessions) {
        return Count.named(sessions.stream().map(this::named).toList(), "desktop", "desktops");
    }

    private String named(Session session) {
        Duration silent = Duration.ofNanos(state.sessions().silent(session));
        return silent.compareTo(SILENCE) < 0
                ? session.desktop()
                : "%s (silent for %d s)".formatted(session.desktop(), silent.toSeconds());
    }
}
