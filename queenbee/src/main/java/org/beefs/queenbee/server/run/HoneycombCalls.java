package org.beefs.queenbee.server.run;

import java.time.Duration;
import java.util.function.BiConsumer;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.server.request.Inbox;
import org.beefs.queenbee.session.DesktopConnection;
import org.jspecify.annotations.Nullable;

/** Asks honeycombs for work. Belongs to the namespace thread, and brings answers back to it. */
final class HoneycombCalls {
    private final Inbox inbox;
    private final Duration deadline;

    /** @param deadline for an answer */
    HoneycombCalls(Inbox inbox, Duration deadline) {
        this.inbox = inbox;
        this.deadline = deadline;
    }

    /** @param ended is told the answer or, at once where the honeycomb is not connected, why there is none */
    void ask(
            Honeycomb honeycomb,
            DesktopRequest request,
            BiConsumer<@Nullable DesktopReply, @Nullable Throwable> ended) {
        DesktopConnection connection = honeycomb.connection();
        if (connection == null) {
            ended.accept(null, new PosixException(Errno.ENOTCONN, honeycomb.desktop() + " is not connected"));
        } else {
            connection
                    .call(request, deadline)
                    .whenComplete((reply, failure) -> inbox.post(() -> ended.accept(reply, failure)));
        }
    }
}
