package org.beefs.honeybee.data;

import com.google.protobuf.Parser;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.Service;
import org.beefs.common.wire.DataReply;
import org.beefs.common.wire.DataRequest;

/** What a honeybee does for a honeycomb: nothing. */
final class NoService implements Service<DataRequest> {
    static final NoService INSTANCE = new NoService();

    private NoService() {}

    @Override
    public Parser<DataRequest> requests() {
        return DataRequest.parser();
    }

    @Override
    public void handle(Message<DataRequest> request, Responder responder) {
        request.payload().close();
        responder.answer(DataReply.newBuilder()
                .setFailure(new PosixException(Errno.EOPNOTSUPP, "a honeybee holds no replicas").toFailure())
                .build());
    }
}
