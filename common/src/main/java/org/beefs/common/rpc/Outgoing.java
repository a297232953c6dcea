package org.beefs.common.rpc;

import com.google.protobuf.MessageLite;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A request to be sent.
 *
 * @param message to be encoded
 * @param payload owned by whoever has this
 * @param hurried false for what nobody waits for: it may be sent as {@link Link#sendUnhurried} does
 * @param inOrder whether nothing that follows it on its connection may be carried out before it
 * @param mayTakeLonger for content that a slow link delays: asked when the deadline has come although something has
 *     moved on the link within that time, whether to wait until the link has been silent for as long. Whoever gives
 *     this ends the call by a bound of his own, because the link may be busy for ever. Null when the answer has to come
 *     within the deadline
 * @param untaken hears that it was certainly not carried out (EAGAIN), before it is sent again
 */
public record Outgoing(
        MessageLite message,
        Payload payload,
        boolean hurried,
        boolean inOrder,
        @Nullable BooleanSupplier mayTakeLonger,
        Runnable untaken) {
    public Outgoing(MessageLite message) {
        this(message, Payload.NONE);
    }

    public Outgoing(MessageLite message, Payload payload) {
        this(message, payload, true, false);
    }

    public Outgoing(MessageLite message, Payload payload, boolean hurried, boolean inOrder) {
        this(message, payload, hurried, inOrder, null, () -> {});
    }

    /** A request with a deadline that counts from what has moved on the link last, as long as that is allowed. */
    public Outgoing(MessageLite message, Payload payload, BooleanSupplier mayTakeLonger) {
        this(message, payload, mayTakeLonger, () -> {});
    }

    /** As above, for who has to know what has become of each attempt. */
    public Outgoing(MessageLite message, Payload payload, BooleanSupplier mayTakeLonger, Runnable untaken) {
        this(message, payload, true, false, mayTakeLonger, untaken);
    }
}
