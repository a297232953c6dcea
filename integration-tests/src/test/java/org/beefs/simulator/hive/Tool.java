package org.beefs.simulator.hive;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.queenbee.session.DesktopConnection;

/** The connection of somebody who has no honeycomb. */
final class Tool implements DesktopConnection {
    @Override
    public CompletableFuture<DesktopReply> call(DesktopRequest request, Duration deadline) {
        return CompletableFuture.failedFuture(new PosixException(Errno.ENODEV, "a tool has no honeycomb"));
    }

    @Override
    public void close() {}

    @Override
    public String peer() {
        return "tool";
    }
}
