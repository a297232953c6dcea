package org.beefs.queenbee.server.run;

import java.util.List;
import java.util.stream.IntStream;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.Observations;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.Fetched;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.replication.fetch.FetchErrand;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells honeycombs what to copy and takes what they answer. Belongs to the namespace thread. */
final class FetchRunner {
    private static final Logger LOG = LoggerFactory.getLogger(FetchRunner.class);

    private final QueenState state;
    private final HoneycombCalls calls;

    FetchRunner(QueenState state, HoneycombCalls calls) {
        this.state = state;
        this.calls = calls;
    }

    /** Sends what was begun. The answer comes back through the inbox. */
    void send(FetchErrand errand) {
        DesktopRequest request =
                DesktopRequest.newBuilder().setFetch(errand.fetches()).build();
        calls.ask(errand.honeycomb(), request, (reply, failure) -> ended(errand, reply, failure));
    }

    private void ended(FetchErrand errand, @Nullable DesktopReply reply, @Nullable Throwable failure) {
        if (reply == null || reply.hasFailure() || !answers(errand, reply.getFetchedList())) {
            LOG.debug(
                    "copying {} files to {} failed: {}",
                    errand.inodes().size(),
                    errand.honeycomb().desktop(),
                    failure != null ? failure.getMessage() : reply);
            state.replication().copyResults().failed(errand);
            return;
        }
        reply.getFetchedList().stream()
                .filter(Fetched::hasFailure)
                .findFirst()
                .ifPresent(one -> LOG.debug(
                        "not all of {} files could be copied to {}, which is tried again: {}",
                        errand.inodes().size(),
                        errand.honeycomb().desktop(),
                        PosixException.of(one.getFailure()).getMessage()));
        state.replication().copyResults().answered(errand, reply.getFetchedList());
    }

    /**
     * Whether there is an answer to each question; a checkpoint that does not say what was copied, or says what cannot
     * be, is none.
     */
    private static boolean answers(FetchErrand errand, List<Fetched> results) {
        List<Fetch> fetches = errand.fetches().getFetchesList();
        return results.size() == fetches.size()
                && results.stream().map(Fetched::getCheckpoint).allMatch(Observations::isPossible)
                && IntStream.range(0, fetches.size()).noneMatch(i -> {
                    Fetched result = results.get(i);
                    return fetches.get(i).getCheckpoint() && result.getComplete() && !result.hasCheckpoint();
                });
    }
}
