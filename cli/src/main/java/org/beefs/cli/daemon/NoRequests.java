package org.beefs.cli.daemon;

import com.google.protobuf.Parser;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.Service;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;

/** What a tool does for the queen-bee: nothing. */
public final class NoRequests implements Service<DesktopRequest> {
    @Override
    public Parser<DesktopRequest> requests() {
        return DesktopRequest.parser();
    }

    @Override
    public void handle(Message<DesktopRequest> request, Responder responder) {
        request.payload().close();
        responder.answer(DesktopReply.newBuilder()
                .setFailure(new PosixException(Errno.EOPNOTSUPP, "this is a tool").toFailure())
                .build());
    }
}
