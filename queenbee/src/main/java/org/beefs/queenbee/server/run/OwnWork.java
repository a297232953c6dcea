package org.beefs.queenbee.server.run;

import java.util.List;
import org.beefs.common.time.Timers;
import org.beefs.queenbee.hive.ErrandRequests.Errand;
import org.beefs.queenbee.lease.Wait;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.records.RecordFeeds;
import org.beefs.queenbee.replication.fetch.FetchErrand;
import org.beefs.queenbee.server.request.Inbox;

/**
 * Does the queen-bee's work that nobody asks for: tells honeycombs what is to be done, has files copied, gives desktops
 * up, keeps the catalogs. Nothing of it is done while nothing may be changed. Belongs to the namespace thread.
 */
public final class OwnWork {
    private final QueenState state;
    private final Inbox inbox;
    private final Timers timers;
    private final ErrandRunner errandRunner;
    private final FetchRunner fetchRunner;
    private final RecordRunner recordRunner;
    private List<FetchErrand> fetches = List.of();
    private List<Errand> errands = List.of();
    private boolean recordsArmed;

    public OwnWork(QueenState state, Inbox inbox, Timers timers) {
        this.state = state;
        this.inbox = inbox;
        this.timers = timers;
        HoneycombCalls calls = new HoneycombCalls(inbox, state.config().errandDeadline());
        errandRunner = new ErrandRunner(state, calls);
        fetchRunner = new FetchRunner(state, calls);
        recordRunner = new RecordRunner(state.records(), calls);
    }

    /** Decides what is to be done, before the pass's batch is written. */
    public void begin() {
        if (state.isReadOnly()) {
            return;
        }
        fetches = state.replication().passes().begin();
        errands = state.errandRequests().begin();
        state.inventories().step();
        state.records().endPass();
    }

    /** Sends it, behind the replies and before what recalls leases. */
    public void send() {
        errands.forEach(errandRunner::send);
        errands = List.of();
        fetches.forEach(fetchRunner::send);
        fetches = List.of();
    }

    /** Sends what catalogs have to be told, and arranges for more. */
    public void sendRecords() {
        if (!state.isReadOnly()) {
            recordRunner.send();
            arrangeRecords();
            arrangeMore();
        }
    }

    /** Called now and then. */
    public void tick() {
        if (!state.isReadOnly()) {
            state.errandRequests().retry();
            state.honeycombs().errandQueues().tick();
            state.replication().passes().tick();
            state.records().retry();
        }
    }

    /**
     * Arranges a pass for the next files that are to be looked at, for the next part of a comparison or a search, or
     * for who waits for its result.
     */
    private void arrangeMore() {
        if (state.replication().passes().hasMore()
                || state.inventories().isRunning()
                || state.occasions().has(Wait.Occasion.COMPARED)
                || state.occasions().has(Wait.Occasion.SEARCHED)) {
            inbox.post(() -> {});
        }
    }

    /**
     * Arranges a pass for the records that wait to be told, and one at once for the rest of a scan or of what is ended.
     */
    private void arrangeRecords() {
        if (state.records().isScanning() || state.records().isForgetting()) {
            inbox.post(() -> {});
        } else if (!recordsArmed && state.records().isExpecting()) {
            recordsArmed = true;
            timers.schedule(RecordFeeds.DELAY, () -> inbox.post(() -> recordsArmed = false));
        }
    }
}
