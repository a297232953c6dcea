package org.beefs.queenbee.server.run;

import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.queenbee.records.RecordBatch;
import org.beefs.queenbee.records.RecordFeeds;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends records to honeycombs and hears that they are written. Belongs to the namespace thread. */
final class RecordRunner {
    private static final Logger LOG = LoggerFactory.getLogger(RecordRunner.class);

    private final RecordFeeds feeds;
    private final HoneycombCalls calls;

    RecordRunner(RecordFeeds feeds, HoneycombCalls calls) {
        this.feeds = feeds;
        this.calls = calls;
    }

    /** Sends what may leave. The answers come back through the inbox. */
    void send() {
        feeds.takeSendable().forEach(this::send);
    }

    private void send(RecordBatch batch) {
        DesktopRequest request =
                DesktopRequest.newBuilder().setRecords(batch.records()).build();
        calls.ask(batch.honeycomb(), request, (reply, failure) -> ended(batch, reply, failure));
    }

    private void ended(RecordBatch batch, @Nullable DesktopReply reply, @Nullable Throwable failure) {
        if (reply == null || reply.hasFailure()) {
            LOG.debug(
                    "{} records were not written on {}: {}",
                    batch.inodes().size(),
                    batch.honeycomb().desktop(),
                    failure != null ? failure.getMessage() : reply);
            feeds.failed(batch);
        } else {
            feeds.succeeded(batch);
        }
    }
}
