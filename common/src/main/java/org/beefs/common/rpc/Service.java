package org.beefs.common.rpc;

import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;

/** What one end of a connection does for the other. One instance serves one connection. */
public interface Service<Q extends MessageLite> {
    Parser<Q> requests();

    /**
     * Takes a request, and its payload, and answers it at some time from any thread. Never blocks: it runs on the thread that
     * receives.
     */
    void handle(Message<Q> request, Responder responder);

    /** The connection is gone: answers go nowhere now. */
    default void closed() {}

    /** The way back to the caller. Thread-safe; only the first answer counts. */
    interface Responder {
        void answer(MessageLite reply, Payload payload);

        default void answer(MessageLite reply) {
            answer(reply, Payload.NONE);
        }
    }
}
