package org.beefs.common.rpc;

import com.google.protobuf.MessageLite;
import java.util.concurrent.atomic.AtomicBoolean;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends the one answer to one request. Thread-safe. */
final class FrameResponder implements Service.Responder {
    private static final Logger LOG = LoggerFactory.getLogger(FrameResponder.class);

    private final Link link;
    private final long id;
    private final Backpressure backpressure;
    private final AtomicBoolean answered = new AtomicBoolean();

    /** Answers the request of that id, which the backpressure has counted. */
    FrameResponder(Link link, long id, Backpressure backpressure) {
        this.link = link;
        this.id = id;
        this.backpressure = backpressure;
    }

    @Override
    public void answer(MessageLite reply, Payload payload) {
        answer(reply, payload, true);
    }

    @Override
    public void answerUnhurried(MessageLite reply) {
        answer(reply, Payload.NONE, false);
    }

    private void answer(MessageLite reply, Payload payload, boolean hurried) {
        Frame frame = new Frame(Frame.Kind.REPLY, id, reply.toByteString(), payload);
        if (frame.isWithinBounds()) {
            send(frame, hurried);
        } else {
            payload.close();
            LOG.error("the answer to a request of {} is too large: {} bytes", link.peer(), reply.getSerializedSize());
            fail(new PosixException(Errno.EIO, "the answer is too large to be sent"));
        }
    }

    @Override
    public void fail(PosixException cause) {
        send(new Frame(Frame.Kind.FAILURE, id, cause.toFailure().toByteString(), Payload.NONE), true);
    }

    private void send(Frame frame, boolean hurried) {
        if (answered.compareAndSet(false, true)) {
            link.send(frame, hurried);
            backpressure.answered();
        } else {
            frame.payload().close();
        }
    }
}
