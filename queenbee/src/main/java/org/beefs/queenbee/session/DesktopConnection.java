package org.beefs.queenbee.session;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;

/** The connection that a desktop daemon opened. Thread-safe. */
public interface DesktopConnection {
    /** Asks the daemon for something. The future fails when the connection breaks or the deadline passes. */
    CompletableFuture<DesktopReply> call(DesktopRequest request, Duration deadline);

    /** Ends it, after sending what was handed over before. Harmless when called again. */
    void close();

    /** The other end, for messages to people. */
    String peer();
}
