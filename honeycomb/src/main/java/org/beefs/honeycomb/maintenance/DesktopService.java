package org.beefs.honeycomb.maintenance;

import com.google.protobuf.Parser;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.Service;
import org.beefs.common.wire.DesktopRequest;

/** The queen-bee's requests on the connection that the daemon opened. */
public final class DesktopService implements Service<DesktopRequest> {
    private final Maintenance maintenance;

    public DesktopService(Maintenance maintenance) {
        this.maintenance = maintenance;
    }

    @Override
    public Parser<DesktopRequest> requests() {
        return DesktopRequest.parser();
    }

    @Override
    public void handle(Message<DesktopRequest> request, Responder responder) {
        request.payload().close();
        maintenance.handle(request.body()).thenAccept(responder::answer);
    }
}
