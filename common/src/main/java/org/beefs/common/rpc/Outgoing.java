package org.beefs.common.rpc;

import com.google.protobuf.MessageLite;

/**
 * A request to be sent.
 *
 * @param message to be encoded
 * @param payload owned by whoever has this
 * @param hurried false for what nobody waits for: it may be sent as {@link Link#sendUnhurried} does
 * @param inOrder whether nothing that follows it on its connection may be carried out before it
 */
public record Outgoing(MessageLite message, Payload payload, boolean hurried, boolean inOrder) {
    public Outgoing(MessageLite message) {
        this(message, Payload.NONE);
    }

    public Outgoing(MessageLite message, Payload payload) {
        this(message, payload, true, false);
    }
}
