package org.beefs.queenbee.server.run;

import java.time.Duration;
import java.util.function.Consumer;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.DesktopReply;
import org.beefs.queenbee.lease.Recalls;
import org.beefs.queenbee.lease.SentRecall;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.server.request.Inbox;
import org.beefs.queenbee.session.DesktopConnection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends recalls to desktops and takes their answers. A desktop that gives none loses its connection: so it has to
 * register, by which its leases end, before anything else that it says is heard, and hears nothing by which it could
 * believe in them for longer than silence keeps others waiting. An answer takes effect behind what its desktop has
 * asked before it, such as the opens that it tells of first, and before what anybody asks after it. Belongs to the
 * namespace thread.
 */
public final class RecallRunner {
    /** How often holders are looked at that keep others waiting. */
    private static final Duration LOOK = Duration.ofMillis(100);

    private static final Logger LOG = LoggerFactory.getLogger(RecallRunner.class);

    private final QueenState state;
    private final Recalls recalls;
    private final Inbox inbox;
    private final Timers timers;
    private final OwnSleep ownSleep;
    private final Consumer<DesktopConnection> disconnected;
    private final Runnable resumeCleared;
    private boolean lookArmed;

    /**
     * @param disconnected hears which connection is not listened to any more
     * @param resumeCleared runs requests again for which all holders have let go
     */
    public RecallRunner(
            QueenState state,
            Inbox inbox,
            Timers timers,
            OwnSleep ownSleep,
            Consumer<DesktopConnection> disconnected,
            Runnable resumeCleared) {
        this.state = state;
        this.recalls = state.leases().recalls();
        this.inbox = inbox;
        this.timers = timers;
        this.ownSleep = ownSleep;
        this.disconnected = disconnected;
        this.resumeCleared = resumeCleared;
    }

    /** Sends what the pass has found to be recalled, behind its answers. */
    public void send() {
        recalls.begin().forEach(this::send);
        if (recalls.isAwaitingAnybody() && !lookArmed) {
            lookArmed = true;
            timers.schedule(LOOK, () -> inbox.post(this::look));
        }
    }

    private void send(SentRecall recall) {
        CurrentRequest.run(recall.firstRequest(), () -> ask(recall));
    }

    private void ask(SentRecall recall) {
        long sentNanos = state.clock().bootNanos();
        recall.connection()
                .call(recall.request(), state.config().recallTimeout())
                .whenComplete((reply, failure) ->
                        inbox.postBehind(CurrentRequest.carrying(() -> ended(recall, sentNanos, reply, failure))));
    }

    private void look() {
        lookArmed = false;
        ownSleep.forgive();
        state.leases().endSilent();
    }

    private void ended(SentRecall recall, long sentNanos, @Nullable DesktopReply reply, @Nullable Throwable failure) {
        if (reply != null && !reply.hasFailure() && isHeard(recall)) {
            recalls.answered(recall, reply.getReleasedDirectoriesList());
        } else if (reply != null && !reply.hasFailure()) {
            recalls.takeBack(recall);
        } else if (recalls.isUnderWay(recall)) {
            recalls.takeBack(recall);
            if (!ownSleep.wasDuring(sentNanos, state.config().recallTimeout())) {
                LOG.warn(
                        "desktop {} does not let go of what it caches, and has to register again: {}",
                        recall.session().desktop(),
                        failure == null ? reply : failure.getMessage());
                recall.connection().close();
                disconnected.accept(recall.connection());
            }
        }
        resumeCleared.run();
    }

    /**
     * Whether the session still has the connection that the answer came over. What came over a connection that it has
     * left is not carried out, so the answer may count on opens that nobody knows of: the registration that follows
     * tells of them.
     */
    private static boolean isHeard(SentRecall recall) {
        return recall.connection().equals(recall.session().connection());
    }
}
