package org.beefs.queenbee.server;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.request.RequestIds;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.rpc.Service;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.journal.GroupCommit;
import org.beefs.queenbee.journal.Journal;
import org.beefs.queenbee.journal.StateStore;
import org.beefs.queenbee.lease.Clearance;
import org.beefs.queenbee.lease.Recalls;
import org.beefs.queenbee.lease.Wait;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.session.SessionEnd;
import org.beefs.queenbee.server.request.Inbox;
import org.beefs.queenbee.server.request.Incoming;
import org.beefs.queenbee.server.request.Operations;
import org.beefs.queenbee.server.request.Outbox;
import org.beefs.queenbee.server.request.Requests;
import org.beefs.queenbee.server.request.SyncWaiters;
import org.beefs.queenbee.server.run.GrantRunner;
import org.beefs.queenbee.server.run.OwnSleep;
import org.beefs.queenbee.server.run.OwnWork;
import org.beefs.queenbee.server.run.RecallRunner;
import org.beefs.queenbee.session.DesktopConnection;

/**
 * The queen-bee without threads of its own: whatever comes in waits until somebody, always the same thread, runs a
 * pass. A pass takes requests, applies their changes to memory, writes one batch, and only then lets replies leave. It
 * never blocks but for that write.
 */
public final class QueenBee implements AutoCloseable {
    private final QueenBeeConfig config;
    private final QueenBeeEnvironment environment;
    private final QueenState state;
    private final Inbox inbox;
    private final Outbox outbox = new Outbox();
    private final SyncWaiters syncs = new SyncWaiters();
    private final Requests requests;
    private final LostChangeRunner lostChanges;
    private final OwnWork ownWork;
    private final RecallRunner recallRunner;
    private final GrantRunner grantRunner;
    private final OwnSleep ownSleep;
    private final SessionEnd sessionEnd;
    private final GroupCommit groupCommit;
    private final RequestIds requestIds;
    private Timers.Timer tick;
    private boolean flushArmed;
    private volatile boolean stopped;
    private boolean sessionsAreUnknown;

    /**
     * Loads the store, or makes a new hive in an empty one.
     *
     * @param wake called from any thread when there is work for a pass
     * @param readOnly why nothing may be changed; empty if it may
     */
    public QueenBee(
            QueenBeeConfig config, StateStore store, QueenBeeEnvironment environment, Runnable wake, String readOnly)
            throws IOException {
        this.config = config;
        this.environment = environment;
        state = StateLoader.run(config, store, environment, readOnly);
        requestIds = RequestIds.of(state.incarnation());
        inbox = new Inbox(config.maxQueued(), wake);
        Operations operations = new Operations(state);
        requests = new Requests(state, operations, outbox, syncs);
        lostChanges = new LostChangeRunner(state, operations);
        sessionsAreUnknown = !state.isReadOnly() && state.sessions().areSomeUnknown();
        ownWork = new OwnWork(state, inbox, environment.timers());
        sessionEnd = new SessionEnd(state);
        groupCommit = new GroupCommit(state.journal(), store, environment.flusher(), inbox::post, environment.fatal());
        ownSleep = new OwnSleep(environment.clock(), state.sessions(), state.replication(), config.heartbeat());
        recallRunner = new RecallRunner(
                state, inbox, environment.timers(), ownSleep, requests::disconnected, this::resumeCleared);
        grantRunner = new GrantRunner(state, inbox);
        tick = scheduleTick();
        inbox.post(state.leftFiles()::decideWaiting);
        // A pass at the end of the grace, for those who are parked until then.
        environment.timers().schedule(config.recallTimeout(), () -> inbox.post(() -> {}));
    }

    /** What serves one connection of a desktop daemon or a tool. */
    public Service<QueenRequest> serve(RpcConnection connection) {
        return new QueenService(this, connection, requestIds);
    }

    /** Takes the {@link CurrentRequest}. Thread-safe. False when too many wait already; then nothing will answer it. */
    public boolean submit(QueenRequest request, DesktopConnection connection, Service.Responder responder) {
        Incoming incoming = new Incoming(
                request,
                connection,
                responder,
                CurrentRequest.id(),
                environment.clock().bootNanos());
        return inbox.offer(() -> handle(incoming));
    }

    /** As {@link NamespaceAccess#ask}. */
    public <T> CompletableFuture<T> ask(Function<QueenState, T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        inbox.post(() -> {
            try {
                answer.complete(question.apply(state));
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    /** As {@link NamespaceAccess#request}. */
    public CompletableFuture<QueenReply> request(QueenRequest request) {
        CompletableFuture<QueenReply> reply = new CompletableFuture<>();
        CurrentRequest.run(requestIds.currentOrNext(), () -> {
            if (!submit(request, LocalCaller.INSTANCE, new LocalCaller.Responder(reply))) {
                reply.completeExceptionally(new PosixException(Errno.EAGAIN, "the queen-bee has too much to do"));
            }
        });
        return reply;
    }

    /** A connection has broken. Thread-safe. */
    public void disconnected(DesktopConnection connection) {
        inbox.post(() -> requests.disconnected(connection));
    }

    /** Whether a pass would find something to do. Thread-safe. */
    public boolean hasWork() {
        return !inbox.isEmpty();
    }

    /** Does what has come, up to a bound. */
    public void runPass() {
        if (stopped) {
            return;
        }
        try {
            ownSleep.forgive();
            inbox.takeEvents().forEach(Runnable::run);
            resumeCleared();
            inbox.takeRequests(config.passLimit()).forEach(Runnable::run);
            resumeParked();
            ownWork.begin();
            state.journal().write();
            syncs.answer(state.journal(), outbox);
            outbox.send(state.journal().durable());
            ownWork.send();
            recallRunner.send();
            grantRunner.send();
            ownWork.sendRecords();
            arrangeFlush();
        } catch (IOException e) {
            stop("the journal cannot be written", e);
        } catch (RuntimeException | Error e) {
            // Also when memory is exhausted: a queen-bee without her thread would listen and answer nobody.
            stop("a defect of the queen-bee", e);
        }
    }

    /** What it knows, for tests and tools in the same thread. */
    public QueenState state() {
        return state;
    }

    /** Stops it between two passes; the store stays open. */
    @Override
    public void close() {
        stopped = true;
        tick.cancel();
    }

    private void handle(Incoming incoming) {
        requests.handle(incoming);
        // Whoever registers may bring the honeycomb that others wait for.
        if (incoming.body().hasRegister()) {
            honeycombMayHaveCome();
        }
    }

    /** Runs what waited for others to let go, before anything else can come between. */
    private void resumeCleared() {
        Recalls recalls = state.leases().recalls();
        for (Clearance clear = recalls.nextReady(); clear != null; clear = recalls.nextReady()) {
            requests.resume(clear);
        }
    }

    private void resumeParked() {
        makeLostChangesAgain();
        for (Wait.Occasion occasion : Wait.Occasion.values()) {
            // Taken one by one: those who are run again may bring about a later one.
            if (state.occasions().take(occasion)) {
                requests.resume(occasion);
            }
        }
        if (!state.grace().isRunning()) {
            requests.resume(Wait.Occasion.END_OF_GRACE);
        }
        resumeCleared();
    }

    /** Before anything else that waits for the sessions from before the start. */
    private void makeLostChangesAgain() {
        lostChanges.run();
        if (state.lostChanges().isOver() && requests.resume(Wait.Occasion.CHANGED_AGAIN)) {
            honeycombMayHaveCome();
        }
    }

    private void honeycombMayHaveCome() {
        state.occasions().arose(Wait.Occasion.HONEYCOMB);
        state.occasions().arose(Wait.Occasion.PRIMARY);
    }

    private Timers.Timer scheduleTick() {
        return environment.timers().schedule(config.heartbeat(), () -> inbox.post(this::tick));
    }

    private void tick() {
        ownSleep.tick();
        lookAtMemory();
        sessionEnd.endExpired();
        noteThatAllSessionsAreKnown();
        state.leftFiles().decideWaiting();
        ownWork.tick();
        grantRunner.retry();
        honeycombMayHaveCome();
        state.replication().promotion().lookAgain();
        tick = scheduleTick();
    }

    /** The next start need not wait for who was there before a recovery. */
    private void noteThatAllSessionsAreKnown() {
        if (sessionsAreUnknown && !state.sessions().areSomeUnknown()) {
            sessionsAreUnknown = false;
            state.writeHive();
        }
    }

    private void lookAtMemory() {
        if (environment.memory().look()) {
            state.leases().recallEverything(); // with what desktops could make without asking
        }
    }

    private void arrangeFlush() {
        Journal journal = state.journal();
        if (isDiskAwaited()) {
            groupCommit.begin();
        } else if (!flushArmed && journal.written() != journal.durable()) {
            flushArmed = true;
            environment
                    .timers()
                    .schedule(
                            config.flushInterval(),
                            () -> inbox.post(() -> {
                                flushArmed = false;
                                groupCommit.begin();
                            }));
        }
    }

    private boolean isDiskAwaited() {
        return !syncs.isEmpty()
                || state.errandRequests()
                        .awaitsDisk(state.replication().relief().isAwaited())
                || state.lostChanges().awaitsDisk();
    }

    /** Nothing of the pass leaves, and nothing is served any more. */
    private void stop(String why, Throwable cause) {
        stopped = true;
        outbox.discard();
        tick.cancel();
        environment.fatal().fatal(why, cause);
    }
}
