package org.beefs.common.rpc;

import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import org.beefs.common.posix.PosixException;

/** The work that one end of a connection does for the other. One instance serves one connection. */
public interface Service<Q extends MessageLite> {
    Parser<Q> requests();

    /**
     * Takes a request, and its payload, and answers it at some time from any thread. Never blocks: it runs on the
     * thread that receives. The payload is the service's also when it throws; what it throws is logged and answered as
     * a failure.
     */
    void handle(Message<Q> request, Responder responder);

    /**
     * All requests that had come were handed over, so far as the connection takes them at once: others of this thread
     * get their turn before the next.
     */
    default void handledAll() {}

    /** The connection is gone: answers go nowhere now. */
    default void closed() {}

    /** The way back to the caller. Thread-safe; only the first answer counts. */
    interface Responder {
        /** Answers, taking the payload over. */
        void answer(MessageLite reply, Payload payload);

        /**
         * Answers a request that this service cannot even make a reply for: the caller's future fails with the cause.
         * {@code EAGAIN}, and no other errno, says that the request was not carried out and may be sent again;
         * {@code ENOTCONN} and {@code ETIMEDOUT} reach the caller as {@code EIO}.
         */
        void fail(PosixException cause);

        default void answer(MessageLite reply) {
            answer(reply, Payload.NONE);
        }

        /** Answers what the caller goes on without: it may be sent as {@link Link#sendUnhurried} does. */
        default void answerUnhurried(MessageLite reply) {
            answer(reply);
        }
    }
}
