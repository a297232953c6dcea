package org.beefs.honeybee.queen;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.replica.LocalHoneycomb;
import org.beefs.common.rpc.Outgoing;
import org.beefs.common.rpc.Reconnector;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.rpc.RpcEnvironment;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.ExplainWaits;
import org.beefs.common.wire.ExplainedWaits;
import org.beefs.common.wire.Goodbye;
import org.beefs.common.wire.Heartbeat;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Registered;
import org.beefs.honeybee.ConcurrencyLimit;
import org.beefs.honeybee.HoneybeeConfig;
import org.beefs.honeybee.cache.InodeSupply;
import org.beefs.honeybee.cache.MetadataCache;
import org.beefs.honeybee.heldback.SendingTerm;
import org.jspecify.annotations.Nullable;

/**
 * The one session of a desktop daemon with the queen-bee, shared by its mounts and its honeycomb. It outlives
 * connections and restarts of the queen-bee; calls made meanwhile wait. Thread-safe; no method blocks.
 */
public final class QueenSession {
    private static final Duration GOODBYE_DEADLINE = Duration.ofSeconds(2);

    /** How long an explanation is waited for: the queen-bee answers this at once, or is in trouble. */
    private static final Duration EXPLANATION = Duration.ofMillis(500);

    /**
     * How long nothing that nobody waits for begins a new session of a machine that is about to sleep. By the boot
     * clock, which goes on in its sleep.
     */
    private static final Duration REST = Duration.ofSeconds(10);

    /**
     * For how long a start is tried while another daemon has the desktop's name. It may be the former one, of before
     * the machine was started anew: it counts as dead after two heartbeats, of which none is longer than 5 s.
     */
    private static final Duration FORMER_DAEMON = Duration.ofSeconds(11);

    private final HoneybeeConfig config;
    private final SessionParts parts;
    private final LockRequests locks;
    private final Registration registration;
    private final WriteRight writeRight;
    private final QueenCalls calls;
    private final DecidedChanges decided;
    private final Changes changes;
    private final ConcurrencyLimit releases;
    private final OpenCalls openCalls;
    private final Reconnector queen;
    private final AtomicLong lastMount = new AtomicLong();
    private volatile @Nullable RpcConnection connection;

    /** For so long the queen-bee lets a question wait for other desktops, as she has said last. */
    private volatile Duration longestWait = Duration.ZERO;

    /** The report on the present connection; null before the first, and without a honeycomb. */
    private volatile @Nullable InventoryReport inventory;

    public QueenSession(HoneybeeConfig config, RpcEnvironment world, Desktop desktop) {
        this.config = config;
        OpenRegistry opens = new OpenRegistry(config.maxOpenFiles());
        InodeSupply supply = new InodeSupply();
        SendingTerm sending = new SendingTerm(world.clock(), world.timers());
        this.parts = new SessionParts(
                desktop,
                world,
                opens,
                new UntoldOpens(opens, world.timers(), this::tellOpen),
                new AnsweredChanges(),
                supply,
                sending,
                new MetadataCache(
                        world.clock(),
                        world.timers(),
                        sending,
                        supply,
                        config.maxCachedNodes(),
                        config.maxCachedEntries()),
                new WriteTerm(world.clock(), desktop.honeycomb()));
        this.registration =
                new Registration(parts, world.random().nextLong(), config.queenDeadline(), this::afterRegistration);
        this.releases = new ConcurrencyLimit(config.maxChanges(), 2 * config.maxOpenFiles());
        this.queen = new Reconnector(
                world,
                new Reconnector.Peer(
                        "the queen-bee", config::queenbee, desktop.hello(), fresh -> service(), this::shakeHands));
        this.writeRight =
                new WriteRight(parts.term(), sending, registration, this::reach, world.clock(), config.patience());
        this.calls = new QueenCalls(
                config,
                world.clock(),
                new QueenCall.Context(
                        queen, registration, parts.cache(), parts.answered(), parts.untold(), this::sendHeld));
        this.locks = new LockRequests(calls, releases, parts.answered(), world.timers());
        this.decided = new DecidedChanges(parts, registration, this::goesOutAtOnce, calls);
        this.registration.bring(decided);
        this.changes = new Changes(config, calls, decided, parts.answered(), opens);
        this.openCalls = new OpenCalls(parts, config, calls, changes, registration, releases);
    }

    /** What she may ask of this desktop. */
    private DesktopService service() {
        return new DesktopService(parts, decided, locks);
    }

    /**
     * Connects and registers, and from now on again by itself. Done when registered; fails with EPROTO when the
     * versions do not fit, EBUSY when the desktop's name stays taken, EIO when the queen-bee cannot be reached within
     * the patience.
     */
    public CompletableFuture<Void> start() {
        queen.keepConnected();
        long end = parts.clock().bootNanos() + FORMER_DAEMON.toNanos();
        registration.expectFormer(end);
        return startBefore(end);
    }

    private CompletableFuture<Void> startBefore(long end) {
        return reach(config.patience()).exceptionallyCompose(failure -> {
            boolean taken = Failures.toPosix(failure).errno() == Errno.EBUSY;
            return taken && parts.clock().bootNanos() < end
                    ? startBefore(end) // waits for the next attempt to connect
                    : CompletableFuture.failedFuture(failure);
        });
    }

    /** Done when she answers, on a connection that began with a registration. */
    private CompletableFuture<Void> reach(Duration patience) {
        return queen.call(
                        () -> new Outgoing(QueenRequest.newBuilder()
                                .setSession(number())
                                .setHeartbeat(Heartbeat.newBuilder()
                                        .addAllMounts(parts.desktop().mounts().get()))
                                .build()),
                        QueenReply.parser(),
                        config.queenDeadline(),
                        patience)
                .thenApply(reply -> null);
    }

    /** The session's number; 0 before the first registration. */
    public long number() {
        return registration.window().session();
    }

    /** What new files may take of the honeycomb on this desktop, if it has one. Bytes. */
    OptionalLong ownSpace() {
        LocalHoneycomb own = parts.desktop().honeycomb();
        return own == null ? OptionalLong.empty() : OptionalLong.of(own.available());
    }

    public boolean isConnected() {
        return queen.isConnected();
    }

    /** Calls that wait for the queen-bee, because she is away. */
    public int waiting() {
        return queen.waiting();
    }

    /** Why she is away, or was last; for messages to people. */
    public String trouble() {
        return queen.trouble();
    }

    /** Shows the requests that wait for the queen-bee's answer, or for a connection with her. */
    public void forEachAsking(Reconnector.Waiting visitor) {
        queen.forEachWaiting(visitor);
    }

    /** Shows the ids of requests that wait because so many changes of this desktop are under way. */
    public void forEachQueued(LongConsumer visitor) {
        changes.forEachWaiting(visitor);
        releases.forEachWaiting(visitor);
    }

    /** Shows the ids of requests that wait for locks, with the number by which the queen-bee knows the waiting. */
    public void forEachLocking(BiConsumer<Long, Long> visitor) {
        locks.forEachWaiting(visitor);
    }

    /** Asks the queen-bee what requests wait for there. Fails soon when she does not answer. */
    public CompletableFuture<ExplainedWaits> explain(ExplainWaits question) {
        RpcConnection open = connection;
        if (open == null || !open.isOpen()) {
            return Futures.failed(Errno.ENOTCONN, "no connection with the queen-bee");
        }
        QueenRequest request = QueenRequest.newBuilder()
                .setSession(number())
                .setExplainWaits(question)
                .build();
        return open.call(request, QueenReply.parser(), EXPLANATION)
                .thenApply(reply -> reply.body().getExplainedWaits());
    }

    /** Whether this desktop may change contents now; if not, only after the queen-bee was heard again. */
    public boolean mayChange() {
        return writeRight.holds();
    }

    /** The right to change contents. */
    WriteRight writeRight() {
        return writeRight;
    }

    /** Files that programs on this desktop have open. */
    public int openFiles() {
        return parts.opens().size();
    }

    /** What is known under leases; it belongs to the session, whose leases end with it. */
    public MetadataCache cache() {
        return parts.cache();
    }

    /** For how long what is held back may be sent to honeycombs. */
    public SendingTerm sending() {
        return parts.sending();
    }

    Clock clock() {
        return parts.clock();
    }

    /**
     * The machine is about to sleep. Done when what is held back is where it belongs and, unless some program here has
     * a file open, the queen-bee knows: a session that ends takes locks along, and a writer's changes. The next call,
     * {@link #wake} or {@link #REST} begins another session.
     */
    public CompletableFuture<Void> rest() {
        return parts.cache()
                .end()
                .thenRun(parts.sending()::stop)
                .thenCompose(
                        done -> parts.opens().size() == 0 ? restWithGoodbye() : CompletableFuture.completedFuture(null))
                .handle((reply, failure) -> null);
    }

    /** Whether it has said goodbye because the machine is about to sleep: only who is waited for begins a session. */
    boolean isResting() {
        return registration.isResting();
    }

    private CompletableFuture<?> restWithGoodbye() {
        registration.rest(REST);
        return sayGoodbye();
    }

    /**
     * The machine has slept, or is not going to: connects and registers at once, which also brings leases back. Not on
     * the connection that there was: if the machine has another address now, nothing comes back on that, and nobody
     * says so. Done when registered; fails as {@link #start}.
     */
    public CompletableFuture<Void> wake() {
        registration.rest(Duration.ZERO);
        queen.startAnew("this machine may have slept");
        return start();
    }

    /** Says goodbye, then closes. Calls that are under way fail with EIO. */
    public CompletableFuture<Void> stop() {
        locks.close();
        return parts.cache()
                .end()
                .thenRun(parts.sending()::stop)
                .thenCompose(done -> sayGoodbye())
                .handle((reply, failure) -> {
                    queen.close();
                    return null;
                });
    }

    /** Done when the queen-bee has all that was changed here before she was asked. */
    public CompletableFuture<Void> settled() {
        return decided.answered();
    }

    /** The end of the session ends its delegations: what was decided under them is asked for before. */
    private CompletableFuture<?> sayGoodbye() {
        return Futures.within(parts.timers(), GOODBYE_DEADLINE, settled().thenApply(done -> true))
                .thenCompose(done -> sendGoodbye());
    }

    private CompletableFuture<?> sendGoodbye() {
        RpcConnection open = connection;
        return open == null || !open.isOpen()
                ? CompletableFuture.completedFuture(null)
                : open.call(goodbye(), QueenReply.parser(), GOODBYE_DEADLINE);
    }

    /** Changes that open nothing. */
    Changes changes() {
        return changes;
    }

    /** Opens of files and their releases. */
    OpenCalls opens() {
        return openCalls;
    }

    /** Locks on files. */
    LockRequests locks() {
        return locks;
    }

    /** A number for a mount, never used before. */
    long nextMount() {
        return lastMount.incrementAndGet();
    }

    /** A number for an open, never used before. */
    long nextHandle() {
        return parts.opens().nextHandle();
    }

    CompletableFuture<QueenReply> ask(QueenRequest.Builder request) {
        return calls.question(request).run();
    }

    /**
     * As {@link #ask} for what takes as long as the queen-bee's disk needs, and no longer than others when she is away.
     */
    CompletableFuture<QueenReply> askHerDisk(QueenRequest.Builder request) {
        return calls.ofHerDisk(request).run();
    }

    /** As {@link #ask} for what waits for other desktops, and no longer than others when she is away. */
    CompletableFuture<QueenReply> askOtherDesktops(QueenRequest.Builder request) {
        return calls.ofOtherDesktops(request, longestWait).run();
    }

    private void sendHeld() {
        decided.sendHeld();
    }

    /** Whether what is decided here leads to no queue anywhere. */
    private boolean goesOutAtOnce() {
        return queen.isConnected()
                && queen.hasRoom()
                && registration.window().hasRoom()
                && !parts.answered().isFull()
                && !parts.opens().hasManyEnded(parts.answered().durable());
    }

    private CompletableFuture<QueenReply> tellOpen(QueenRequest open) {
        return calls.ofOpen(open.toBuilder()).run();
    }

    private CompletableFuture<Void> shakeHands(RpcConnection fresh) {
        connection = fresh;
        return registration.begin(fresh).thenAccept(registered -> registered(fresh, registered));
    }

    private void registered(RpcConnection fresh, Registered registered) {
        longestWait = Duration.ofMillis(registered.getLongestWaitMillis());
        new Heartbeats(parts, registration, fresh, registered).start();
        LocalHoneycomb honeycomb = parts.desktop().honeycomb();
        if (honeycomb != null) {
            InventoryReport report = new InventoryReport(honeycomb, fresh, parts.timers(), config.queenDeadline());
            inventory = report;
            report.registered(registered.getSession());
        }
    }

    /**
     * Has locks asked for again, and the inventory reported: on a new connection or, once more, on the one that there
     * is.
     */
    private void afterRegistration() {
        locks.registered();
        InventoryReport report = inventory;
        if (report != null) {
            report.registered(number());
        }
    }

    private QueenRequest goodbye() {
        return QueenRequest.newBuilder()
                .setSession(number())
                .setGoodbye(Goodbye.getDefaultInstance())
                .build();
    }
}
