package org.beefs.queenbee.server;

import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.Service;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.QueenRequest.OperationCase;

/** Measures how long the requests of a connection take, from their arrival to their answer; but for those that nobody waits for. */
final class MeasuredService implements Service<QueenRequest> {
    private final Service<QueenRequest> service;
    private final Clock clock;
    private final OperationMeter meter;

    MeasuredService(Service<QueenRequest> service, Clock clock, OperationMeter meter) {
        this.service = service;
        this.clock = clock;
        this.meter = meter;
    }

    @Override
    public Parser<QueenRequest> requests() {
        return service.requests();
    }

    @Override
    public void handle(Message<QueenRequest> request, Responder responder) {
        boolean background = request.body().getOperationCase() == OperationCase.HEARTBEAT;
        service.handle(request, background ? responder : new Measuring(responder, clock.bootNanos()));
    }

    @Override
    public void closed() {
        service.closed();
    }

    private final class Measuring implements Responder {
        private final Responder responder;
        private final long began;

        Measuring(Responder responder, long began) {
            this.responder = responder;
            this.began = began;
        }

        @Override
        public void answer(MessageLite reply, Payload payload) {
            meter.took(clock.bootNanos() - began);
            responder.answer(reply, payload);
        }

        @Override
        public void fail(PosixException cause) {
            meter.took(clock.bootNanos() - began);
            responder.fail(cause);
        }
    }
}
