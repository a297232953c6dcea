package org.beefs.common.rpc;

import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;

/** The service of a client for its server: none. */
public record NoService<Q extends MessageLite>(Parser<Q> requests) implements Service<Q> {
    @Override
    public void handle(Message<Q> request, Responder responder) {
        request.payload().close();
        responder.fail(new PosixException(Errno.EOPNOTSUPP, "a client is asked nothing"));
    }
}
