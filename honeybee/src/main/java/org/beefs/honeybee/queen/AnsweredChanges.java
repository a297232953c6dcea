package org.beefs.honeybee.queen;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.beefs.common.wire.AnsweredChange;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.SetLock;
import org.beefs.common.wire.Timestamp;

/**
 * What the queen-bee has answered to be done, and would lose with her power: changes of names, attributes and locks,
 * from their answers until one says that they are on her disk. A registration brings them to a queen-bee that came back
 * without them. What concerns content is not among them, because opens are asserted, and honeycombs know what they
 * hold. Thread-safe.
 *
 * <p>Bounded: {@link #isFull} tells that whoever makes a change has to wait until the queen-bee's disk has what there
 * is, so at most as many more come as are under way.
 */
final class AnsweredChanges {
    /** The queen-bee flushes her journal every 50 ms: only a disk that takes very long lets so many gather. */
    private static final int MOST = 8192;

    /**
     * Together with the changes that are under way, of 4 KiB for each place ({@link Changes}), these fit into one
     * message, beside all opens.
     */
    private static final long MOST_BYTES = 1 << 20;

    private static final Comparator<Timestamp> BY_TIME =
            Comparator.comparingLong(Timestamp::getSeconds).thenComparingInt(Timestamp::getNanos);

    private record Kept(long change, QueenRequest request, QueenReply reply) {
        int bytes() {
            return request.getSerializedSize();
        }
    }

    private final Deque<Kept> kept = new ArrayDeque<>();
    private long bytes;
    private long durable;

    /** An answer has come; to be called in the order in which they come. */
    synchronized void answered(QueenRequest request, QueenReply reply) {
        settle(reply.getDurableSequence());
        if (reply.getSequence() > durable && isToBeKept(request, reply)) {
            add(new Kept(reply.getSequence(), request.hasSetLock() ? atOnce(request.getSetLock()) : request, reply));
        }
    }

    /** A request that waited for a lock has got it. */
    synchronized void granted(SetLock lock, long change) {
        if (change > durable) {
            add(new Kept(change, atOnce(lock), QueenReply.getDefaultInstance()));
        }
    }

    /** All changes up to this one are on the queen-bee's disk. */
    synchronized void settle(long sequence) {
        durable = Math.max(durable, sequence);
        for (Kept first = kept.peek(); first != null && first.change <= durable; first = kept.peek()) {
            bytes -= kept.remove().bytes();
        }
    }

    /** The highest sequence that is known to be on the queen-bee's disk. */
    synchronized long durable() {
        return durable;
    }

    /** Whether no more should be asked for before the queen-bee's disk has what there is. */
    synchronized boolean isFull() {
        return kept.size() >= MOST || bytes >= MOST_BYTES;
    }

    /** The changes that a registration brings to the queen-bee. */
    synchronized List<AnsweredChange> toWire() {
        List<AnsweredChange> changes = new ArrayList<>(kept.size());
        kept.forEach(change -> changes.add(toWire(change)));
        return changes;
    }

    private void add(Kept change) {
        kept.add(change);
        bytes += change.bytes();
    }

    /** A lock that is had waits for nobody. */
    private static QueenRequest atOnce(SetLock lock) {
        return QueenRequest.newBuilder()
                .setSetLock(lock.toBuilder().clearWait().clearTicket())
                .build();
    }

    private static boolean isToBeKept(QueenRequest request, QueenReply reply) {
        return switch (request.getOperationCase()) {
            case CREATE -> reply.getNode().getCreated();
            case CREATE_UNNAMED, MAKE_NODE, MAKE_DIRECTORY, MAKE_SYMBOLIC_LINK -> true;
            case LINK, UNLINK, REMOVE_DIRECTORY, RENAME -> true;
            case SET_ATTRIBUTES, RECORD_ACCESSES, SET_XATTR, REMOVE_XATTR, SET_LOCK -> true;
            default -> false;
        };
    }

    private static AnsweredChange toWire(Kept kept) {
        AnsweredChange.Builder change = AnsweredChange.newBuilder()
                .setChange(kept.change)
                .setRequest(kept.request)
                .addAllNamed(kept.reply.getNamedList())
                .setStillNamed(kept.reply.getStillNamed());
        timeOf(kept.reply).ifPresent(change::setTime);
        if (makesInode(kept.request)) {
            Layout layout = kept.reply.getNode().getLayout();
            change.setInode(kept.reply.getNode().getAttributes().getInode())
                    .setHoneycomb(layout.getHoneycomb())
                    .setEpoch(layout.getEpoch());
        }
        return change.build();
    }

    private static boolean makesInode(QueenRequest request) {
        return switch (request.getOperationCase()) {
            case CREATE, CREATE_UNNAMED, MAKE_NODE, MAKE_DIRECTORY, MAKE_SYMBOLIC_LINK -> true;
            default -> false;
        };
    }

    /** The time of a change, which is the ctime of every inode that it touches. */
    private static Optional<Timestamp> timeOf(QueenReply reply) {
        return Stream.concat(Stream.of(reply.getNode()), reply.getTouchedList().stream())
                .map(Node::getAttributes)
                .filter(Attributes::hasCtime)
                .map(Attributes::getCtime)
                .max(BY_TIME);
    }
}
