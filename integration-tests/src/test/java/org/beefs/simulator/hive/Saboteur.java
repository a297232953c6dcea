package org.beefs.simulator.hive;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.netty.buffer.ByteBuf;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Capability;
import org.beefs.common.wire.DataReply;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.LockMode;
import org.beefs.common.wire.LocksGranted;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Recall;
import org.beefs.common.wire.Release;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.Seal;
import org.beefs.common.wire.Sync;
import org.beefs.honeycomb.store.content.Checksums;
import org.beefs.simulator.world.FrameFilter;
import org.beefs.simulator.world.SimProcess;

/**
 * Plants those faults that show on the wire: by changing a request as it arrives, as if its receiver misunderstood it.
 */
final class Saboteur implements FrameFilter {
    private static final int FOR_A_MINUTE = 60_000;

    /** What is counted: requests of a session to one receiver. */
    private record Counted(Object receiver, long session) {}

    /** A request of the queen-bee. */
    private record Asked(SimProcess desktop, long id) {}

    private final Sabotage sabotage;
    private final Set<Asked> adoptions = new HashSet<>();
    private final Map<Counted, Long> lastNumbers = new HashMap<>();

    Saboteur(Sabotage sabotage) {
        this.sabotage = sabotage;
    }

    @Override
    public List<Frame> arriving(SimProcess from, SimProcess to, Frame frame) {
        return switch (Wire.read(from, to, frame)) {
            case QueenRequest request
            when sabotage == Sabotage.FORGETS_OPENS && isReadingOpen(request) -> List.of(frame, released(request));
            case QueenRequest request -> List.of(with(frame, request, changed(request)));
            case QueenReply reply -> List.of(with(frame, reply, changed(reply)));
            case DesktopRequest request
            when sabotage == Sabotage.NO_RECALL && request.hasRecall() ->
                List.of(with(
                        frame,
                        request,
                        request.toBuilder()
                                .setRecall(Recall.getDefaultInstance())
                                .build()));
            case DesktopRequest request
            when sabotage == Sabotage.GRANTS_UNTOLD && request.hasLocksGranted() ->
                List.of(with(
                        frame,
                        request,
                        request.toBuilder()
                                .setLocksGranted(LocksGranted.getDefaultInstance())
                                .build()));
            case DesktopRequest request
            when sabotage == Sabotage.COPIES_NOTHING && request.hasFetch() ->
                List.of(with(frame, request, withoutPatience(request)));
            case DesktopRequest request
            when sabotage == Sabotage.CONFIRMS_NO_MOVE && request.hasSeal() ->
                List.of(with(frame, request, withoutMoves(request)));
            case DesktopReply reply
            when sabotage == Sabotage.COPIES_NOTHING && reply.getFetchedCount() > 0 ->
                List.of(with(frame, reply, complete(reply)));
            case DesktopRequest request
            when sabotage == Sabotage.CONFLICT_COPIES_DROPPED && request.hasAdopt() -> {
                adoptions.add(new Asked(to, frame.id()));
                yield List.of(frame);
            }
            case DesktopReply reply
            when adoptions.remove(new Asked(from, frame.id())) -> List.of(with(frame, reply, nothingThere(reply)));
            case DataRequest request -> List.of(with(frame, request, changed(request, to)));
            case DataReply reply
            when sabotage == Sabotage.SWAPS_BEFORE_CHECKSUM
                    && reply.getChecksum() != 0
                    && frame.payload() instanceof Payload.Bytes(ByteBuf content) ->
                List.of(altered(frame, reply, content));
            case null, default -> List.of(frame);
        };
    }

    private static DesktopRequest withoutPatience(DesktopRequest request) {
        DesktopRequest.Builder changed = request.toBuilder();
        changed.getFetchBuilder().setPatienceMillis(0);
        return changed.build();
    }

    private static DesktopRequest withoutMoves(DesktopRequest request) {
        DesktopRequest.Builder changed = request.toBuilder();
        changed.getSealBuilder().getSealsBuilderList().forEach(Seal.Builder::clearMoved);
        return changed.build();
    }

    private static DesktopReply complete(DesktopReply reply) {
        DesktopReply.Builder changed = reply.toBuilder();
        changed.getFetchedBuilderList()
                .forEach(fetched -> fetched.clearFailure().setComplete(true));
        return changed.build();
    }

    private static DesktopReply nothingThere(DesktopReply reply) {
        DesktopReply.Builder changed = reply.toBuilder();
        changed.getStatusesBuilderList().forEach(ReplicaStatus.Builder::clearExists);
        return changed.build();
    }

    /** One byte is another on its way, and nobody looks at the checksum. */
    private static Frame altered(Frame frame, DataReply reply, ByteBuf content) {
        ByteBuf other = content.copy();
        content.release();
        other.setByte(0, ~other.getByte(0));
        DataReply unseen = reply.toBuilder().setChecksum(Checksums.of(other)).build();
        return new Frame(frame.kind(), frame.id(), unseen.toByteString(), new Payload.Bytes(other), frame.request());
    }

    private static Frame with(Frame frame, MessageLite before, MessageLite after) {
        return before.equals(after)
                ? frame
                : new Frame(frame.kind(), frame.id(), after.toByteString(), frame.payload(), frame.request());
    }

    private QueenRequest changed(QueenRequest request) {
        return switch (sabotage) {
            case REPEATS_CHANGES ->
                request.getSequence() == 0
                        ? request
                        : request.toBuilder()
                                .setSequence(next(new Counted(SimQueenBee.NAME, request.getSession())))
                                .clearAcknowledged()
                                .build();
            case TRUSTS_LAST_REPORT -> renumbered(request);
            case NO_DIRTY_MARK -> reading(request);
            case NOTHING_MADE_AGAIN -> forgetful(request);
            case LOCKS_SHARED -> sharing(request);
            case ANSWERS_BEFORE_COPIES -> onlySyncing(request);
            default -> request;
        };
    }

    private static QueenRequest reading(QueenRequest request) {
        if (!request.hasOpen() || !request.getOpen().getWrite()) {
            return request;
        }
        QueenRequest.Builder changed = request.toBuilder();
        changed.getOpenBuilder().setWrite(false);
        return changed.build();
    }

    private static QueenRequest forgetful(QueenRequest request) {
        if (!request.hasRegister()) {
            return request;
        }
        QueenRequest.Builder changed = request.toBuilder();
        changed.getRegisterBuilder().clearChanges();
        return changed.build();
    }

    private static QueenRequest onlySyncing(QueenRequest request) {
        return request.hasSecureContent()
                ? request.toBuilder().setSync(Sync.getDefaultInstance()).build()
                : request;
    }

    private static QueenRequest sharing(QueenRequest request) {
        if (!request.hasSetLock() || request.getSetLock().getMode() != LockMode.EXCLUSIVE) {
            return request;
        }
        QueenRequest.Builder changed = request.toBuilder();
        changed.getSetLockBuilder().setMode(LockMode.SHARED);
        return changed.build();
    }

    private QueenReply changed(QueenReply reply) {
        return switch (sabotage) {
            case NO_LEASE_WAIT -> believing(reply, SimQueenBee.CACHE_MILLIS);
            case NO_LEASE_END -> believing(reply, FOR_A_MINUTE);
            case NO_DIRTY_MARK -> entitled(reply);
            case DEADLOCKS_SEEN -> refusing(reply);
            default -> reply;
        };
    }

    /** Lets a desktop believe in its leases for another time of silence. */
    private static QueenReply believing(QueenReply reply, int millis) {
        if (!reply.hasRegistered()) {
            return reply;
        }
        QueenReply.Builder changed = reply.toBuilder();
        changed.getRegisteredBuilder().setCacheMillis(millis);
        return changed.build();
    }

    private static QueenReply refusing(QueenReply reply) {
        return reply.getLockState().getWaiting()
                ? QueenReply.newBuilder()
                        .setFailure(new PosixException(Errno.EDEADLK, "sabotage").toFailure())
                        .build()
                : reply;
    }

    /** Lets whoever has opened a file write it. */
    private static QueenReply entitled(QueenReply reply) {
        if (reply.getNode().getLayout().getCapability().isEmpty()) {
            return reply;
        }
        QueenReply.Builder changed = reply.toBuilder();
        Layout.Builder layout = changed.getNodeBuilder().getLayoutBuilder();
        try {
            Capability capability = Capability.parseFrom(layout.getCapability());
            layout.setCapability(capability.toBuilder().setWrite(true).build().toByteString());
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("an unreadable capability", e);
        }
        return changed.build();
    }

    private DataRequest changed(DataRequest request, SimProcess honeycomb) {
        return sabotage != Sabotage.REPEATS_WRITES || request.getSequence() == 0
                ? request
                : request.toBuilder()
                        .setSequence(next(new Counted(honeycomb, request.getSession())))
                        .clearAcknowledged()
                        .build();
    }

    private static boolean isReadingOpen(QueenRequest request) {
        return request.hasOpen() && !request.getOpen().getWrite();
    }

    /** The end of an open that has just begun; nobody waits for its answer. */
    private Frame released(QueenRequest request) {
        QueenRequest release = QueenRequest.newBuilder()
                .setSession(request.getSession())
                .setRelease(Release.newBuilder()
                        .setInode(request.getOpen().getInode())
                        .setHandle(request.getOpen().getHandle()))
                .build();
        long id = Long.MAX_VALUE - next(new Counted("release", 0));
        return new Frame(Frame.Kind.REQUEST, id, release.toByteString(), Payload.NONE);
    }

    private QueenRequest renumbered(QueenRequest request) {
        if (!request.hasRelease() || !request.getRelease().hasStatus()) {
            return request;
        }
        QueenRequest.Builder changed = request.toBuilder();
        changed.getReleaseBuilder().getStatusBuilder().setObservation(next(new Counted("observation", 0)));
        return changed.build();
    }

    private long next(Counted counter) {
        return lastNumbers.merge(counter, 1L, Long::sum);
    }
}
