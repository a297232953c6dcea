package org.beefs.honeycomb.server;

import com.google.protobuf.Parser;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.Service;
import org.beefs.common.wire.DataRequest;

/** The service of a client that nobody asks anything. */
public final class NoRequests implements Service<DataRequest> {
    @Override
    public Parser<DataRequest> requests() {
        return DataRequest.parser();
    }

    @Override
    public void handle(Message<DataRequest> request, Responder responder) {
        throw new AssertionError("nobody asks a client");
    }
}
