package org.beefs.common.metrics;

import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.Service;
import org.beefs.common.time.Clock;

/** Measures how long the requests of a connection take, from their arrival to their answer. */
public final class MeasuredService<Q extends MessageLite> implements Service<Q> {
    private final Service<Q> service;
    private final Clock clock;
    private final Measure<Q> measure;

    /** Hears of answered requests. Thread-safe; does not block. */
    public interface Measure<Q> {
        /**
         * A request was answered.
         *
         * @param nanos after which
         * @param received bytes of content that came with it
         * @param sent bytes of content that went with the answer
         */
        void answered(Q request, long nanos, long received, long sent);
    }

    public MeasuredService(Service<Q> service, Clock clock, Measure<Q> measure) {
        this.service = service;
        this.clock = clock;
        this.measure = measure;
    }

    @Override
    public Parser<Q> requests() {
        return service.requests();
    }

    @Override
    public void handle(Message<Q> request, Responder responder) {
        service.handle(
                request, new Measuring(request.body(), request.payload().length(), responder, clock.bootNanos()));
    }

    @Override
    public void handledAll() {
        service.handledAll();
    }

    @Override
    public void closed() {
        service.closed();
    }

    private final class Measuring implements Responder {
        private final Q request;
        private final int received;
        private final Responder responder;
        private final long began;

        Measuring(Q request, int received, Responder responder, long began) {
            this.request = request;
            this.received = received;
            this.responder = responder;
            this.began = began;
        }

        @Override
        public void answer(MessageLite reply, Payload payload) {
            measure.answered(request, clock.bootNanos() - began, received, payload.length());
            responder.answer(reply, payload);
        }

        @Override
        public void answerUnhurried(MessageLite reply) {
            measure.answered(request, clock.bootNanos() - began, received, 0);
            responder.answerUnhurried(reply);
        }

        @Override
        public void fail(PosixException cause) {
            measure.answered(request, clock.bootNanos() - began, received, 0);
            responder.fail(cause);
        }
    }
}
