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
 * @param mayTakeLonger for what a slow link may need its time for: asked when the deadline has come, and the link was
 *     silent for less than that, whether the deadline counts from what has moved there last. Whoever says so has an end
 *     of his own: the link may move for ever, and the answer never come. Null when the deadline means the answer
 */
public record Outgoing(
        MessageLite message,
        Payload payload,
        boolean hurried,
        boolean inOrder,
        @Nullable BooleanSupplier mayTakeLonger) {
    public Outgoing(MessageLite message) {
        this(message, Payload.NONE);
    }

    public Outgoing(MessageLite message, Payload payload) {
        this(message, payload, true, false);
    }

    public Outgoing(MessageLite message, Payload payload, boolean hurried, boolean inOrder) {
        this(message, payload, hurried, inOrder, null);
    }

    /** With a deadline that counts from what has moved on the link last, as long as that is allowed. */
    public Outgoing(MessageLite message, Payload payload, BooleanSupplier mayTakeLonger) {
        this(message, payload, true, false, mayTakeLonger);
    }
}
