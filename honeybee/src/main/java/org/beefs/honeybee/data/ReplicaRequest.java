package org.beefs.honeybee.data;

import io.netty.buffer.ByteBuf;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Outgoing;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.RequestWindow;
import org.beefs.common.wire.DataRequest;
import org.jspecify.annotations.Nullable;

/**
 * One request to a honeycomb, over all attempts to have it answered. A change carries the same session and sequence in
 * each attempt, so a honeycomb that has not been restarted carries it out once. One that has been restarted does not
 * remember: there a change is made again only if that does no harm, or the former process has said that it did not make
 * it.
 *
 * <p>Thread-safe: attempts follow one another, but on different threads.
 */
final class ReplicaRequest {
    enum Kind {
        /** Changes nothing and has no number. Who asks can do without the answer. */
        QUESTION,
        /** Like a question, but what was written may be lost if it fails. */
        SYNC,
        /** Has the same effect when carried out twice in a row. */
        REPEATABLE,
        /** An append. */
        ONCE;

        boolean isChange() {
            return this == REPEATABLE || this == ONCE;
        }
    }

    private final DataRequest request;
    private final Kind kind;
    private final ByteBuf content;
    private final Supplier<HoneycombProcess> process;
    private final BooleanSupplier mayChange;
    private final Leave leave;

    // Guarded by this.
    private @Nullable RequestWindow window;
    private long sequence;
    private @Nullable HoneycombProcess sentTo;
    /** Attempts of which that process has not said what has become of them. */
    private int unknown;

    private boolean givenUp;
    private boolean ended;

    /**
     * @param content what goes behind each attempt; stays its owner's
     * @param process who answers at the other end of the present connection
     * @param mayChange whether this desktop may change contents now
     * @param leave without which it is not sent
     */
    ReplicaRequest(
            DataRequest request,
            Kind kind,
            ByteBuf content,
            Supplier<HoneycombProcess> process,
            BooleanSupplier mayChange,
            Leave leave) {
        this.request = request;
        this.kind = kind;
        this.content = content;
        this.process = process;
        this.mayChange = mayChange;
        this.leave = leave;
    }

    /**
     * What to send now. Throws EIO when another attempt could do harm or when it has ended, EAGAIN when none is allowed
     * now.
     */
    synchronized Outgoing attempt(Supplier<RequestWindow> present) {
        requireGoingOn();
        HoneycombProcess to = process.get();
        if (kind == Kind.ONCE && sentTo != null && !sentTo.equals(to)) {
            givenUp = true;
            throw new PosixException(
                    Errno.EIO, "the honeycomb was started anew during an append: whether it was made is not known");
        }
        checkLeave();
        checkTerm();
        sentTo = to;
        unknown++;
        Payload payload = content.isReadable() ? new Payload.Bytes(content.retainedDuplicate()) : Payload.NONE;
        DataRequest message = numbered(present);
        return kind == Kind.SYNC
                ? new Outgoing(message, payload)
                : new Outgoing(message, payload, this::mayTakeLonger, this::untaken);
    }

    /** The last attempt was not carried out. One before it, which was not answered, may have been. */
    private synchronized void untaken() {
        unknown--;
        if (unknown == 0) {
            sentTo = null;
        }
    }

    /** Nobody would give its number back, and its content may be its owner's again. */
    private void requireGoingOn() {
        if (ended) {
            throw new PosixException(Errno.EIO, "the request was given up");
        }
    }

    /** A change must not arrive when others may have gone on without it: it is cut off, and made again if it may. */
    private boolean mayTakeLonger() {
        return leave.isGiven() && (!kind.isChange() || mayChange.getAsBoolean());
    }

    private void checkLeave() {
        givenUp |= !leave.wanted().getAsBoolean();
        leave.check();
    }

    private void checkTerm() {
        if (!kind.isChange() || mayChange.getAsBoolean()) {
            return;
        }
        givenUp |= kind == Kind.ONCE && sentTo != null;
        throw new PosixException(
                givenUp ? Errno.EIO : Errno.EAGAIN,
                "this desktop has not heard the queen-bee for too long to change files");
    }

    /** Whether it was given up here: a process that has gone may have carried it out, or it is not wanted any more. */
    synchronized boolean isGivenUp() {
        return givenUp;
    }

    /** No attempt follows. */
    synchronized void end() {
        ended = true;
        if (window != null && kind.isChange()) {
            window.end(sequence);
        }
    }

    private DataRequest numbered(Supplier<RequestWindow> present) {
        if (window == null) {
            window = present.get();
            sequence = kind.isChange() ? window.begin() : 0;
        }
        DataRequest.Builder numbered = request.toBuilder().setSession(window.session());
        if (kind.isChange()) {
            numbered.setSequence(sequence).setAcknowledged(window.acknowledged());
        }
        return numbered.build();
    }
}
