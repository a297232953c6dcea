package org.beefs.honeybee.queen;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.LocalHoneycomb;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.RequestWindow;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.OpenFile;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Register;
import org.beefs.common.wire.Registered;
import org.beefs.honeybee.Patience;
import org.jspecify.annotations.Nullable;

/**
 * Registers the desktop: at the beginning of each connection, when the session has ended, and when an open must be
 * asserted. Holds the present session. Thread-safe.
 *
 * <p>Each registration asserts all opens, and brings the changes that a loss of the queen-bee's power could have taken.
 * Its number ({@link #begun}) is taken before its list of opens: whoever adds an open first and then sees that no
 * registration began in the meantime knows that none can have missed it.
 */
final class Registration {
    /** What was decided on this desktop and is not answered. */
    interface Decisions {
        /** The requests in their order, as sent in a session. */
        List<QueenRequest> toWire(RequestWindow window);

        /** A registration that brought them was answered. */
        void brought();
    }

    private final SessionParts parts;
    private final long process;
    private final Duration deadline;
    private final Runnable registered;
    private final RegistrationNews news;
    private final SharedRuns runs = new SharedRuns(this::registerAgain);
    private final AtomicLong begun = new AtomicLong();

    /** Null until the session has been put together. */
    private volatile @Nullable Decisions decisions;

    private volatile RequestWindow window = new RequestWindow(0);
    private volatile @Nullable RpcConnection connection;

    /** Until then nobody begins a session who is not asked to. By the boot clock. */
    private volatile long restsUntil;

    /** Guarded by this. */
    private volatile ByteString hive = ByteString.EMPTY;

    /** Done when what is on its way to the queen-bee has been answered, or never will be. Guarded by this. */
    private CompletableFuture<Void> noneOnItsWay = CompletableFuture.completedFuture(null);

    /** @param registered told of each registration */
    Registration(SessionParts parts, long process, Duration deadline, Runnable registered) {
        this.parts = parts;
        this.process = process;
        this.deadline = deadline;
        this.registered = registered;
        this.news = new RegistrationNews(parts.desktop().name(), parts.clock());
        this.restsUntil = parts.clock().bootNanos();
    }

    /** Brings these with each registration from now on. */
    void bring(Decisions made) {
        decisions = made;
    }

    /** Until then a start is tried though another daemon has the desktop's name. By the boot clock. */
    void expectFormer(long until) {
        news.expectFormer(until);
    }

    /** For this time nobody begins a session who is not asked to. */
    void rest(Duration time) {
        restsUntil = parts.clock().bootNanos() + time.toNanos();
    }

    boolean isResting() {
        return parts.clock().bootNanos() - restsUntil < 0;
    }

    /** The present session and its numbers; session 0 before the first registration. */
    RequestWindow window() {
        return window;
    }

    /** Registrations begun so far. */
    long begun() {
        return begun.get();
    }

    /** Registers on a connection that has just been opened. */
    CompletableFuture<Registered> begin(RpcConnection fresh) {
        connection = fresh;
        fresh.onClose(this::lost);
        return register(fresh);
    }

    /** Registers anew because the queen-bee does not know this session; done at once when that has been done. */
    CompletableFuture<Void> requestReplacement(RequestWindow ended) {
        return window == ended ? requestAgain() : CompletableFuture.completedFuture(null);
    }

    /**
     * Does a registration that begins after this call. Several who ask share one. Done also when the connection breaks:
     * the next connection begins with a registration.
     */
    CompletableFuture<Void> requestAgain() {
        return runs.again();
    }

    /**
     * Done when no registration is under way that was begun by {@link #requestAgain} before this call: whatever it
     * allows may be done then. Fails with EIO when that takes longer than the patience.
     */
    CompletableFuture<Void> settled(Patience patience) {
        return inTime(runs.settled(), patience);
    }

    /**
     * As {@link #requestAgain}; fails with EIO when that takes longer than the patience, while the registration goes
     * on.
     */
    CompletableFuture<Void> awaitAgain(Patience patience) {
        return inTime(requestAgain(), patience);
    }

    /**
     * As {@link #requestReplacement}; fails with EIO when that takes longer than the patience, while the registration
     * goes on.
     */
    CompletableFuture<Void> awaitReplacement(RequestWindow ended, Patience patience) {
        return inTime(requestReplacement(ended), patience);
    }

    /**
     * Bounds the waiting for a registration, which itself has no deadline: the honeycomb stops programs before it, and
     * that takes as long as the disk needs for what they have written; another attempt would have to wait for the same.
     */
    private CompletableFuture<Void> inTime(CompletableFuture<Void> registration, Patience patience) {
        return registration.isDone()
                ? registration
                : Futures.within(parts.timers(), patience.left(), registration.thenApply(done -> true))
                        .thenCompose(done -> done.isPresent() ? CompletableFuture.completedFuture(null) : late());
    }

    private static CompletableFuture<Void> late() {
        return Futures.failed(Errno.EIO, "this desktop could not register with the queen-bee in time");
    }

    /**
     * Done when no registration is on its way that was sent before this call: whatever it asserts has been heard by the
     * queen-bee then. What is sent later does not assert what has ended before.
     */
    synchronized CompletableFuture<Void> noneOnItsWay() {
        return noneOnItsWay.copy();
    }

    private synchronized void noteOnItsWay(CompletableFuture<Void> answered) {
        noneOnItsWay = CompletableFuture.allOf(noneOnItsWay, answered);
    }

    private CompletableFuture<?> registerAgain() {
        RpcConnection open = connection;
        return open == null
                ? CompletableFuture.completedFuture(null)
                : Futures.attempt(() -> register(open)).whenComplete((registered, failure) -> {
                    if (failure != null) {
                        open.close();
                        againOnOther(open);
                    }
                });
    }

    /** The registration of a newer connection does not count any more, because this one has begun after it. */
    private void againOnOther(RpcConnection failed) {
        if (connection != failed) {
            requestAgain();
        }
    }

    /**
     * Registers. Before that the honeycomb stops the programs that may have lost the right to write a replica: then the
     * queen-bee is asked about these replicas.
     */
    private CompletableFuture<Registered> register(RpcConnection on) {
        LocalHoneycomb honeycomb = parts.desktop().honeycomb();
        return honeycomb == null
                ? endLeasesAndSend(on, null)
                        .thenApply(
                                registered -> beginTerm(registered, parts.term().agreed()))
                : honeycomb
                        .offer(on.localAddress())
                        .thenCompose(offer -> endLeasesAndSend(on, offer)
                                .thenCompose(registered -> settle(honeycomb, offer, registered)));
    }

    private Registered beginTerm(Registered registered, long until) {
        parts.term().begin(until);
        return registered;
    }

    /** Whether this queen-bee may change anything. */
    private static boolean mayChange(Registered registered) {
        return registered.getFenceMillis() != 0;
    }

    private CompletableFuture<Registered> settle(
            LocalHoneycomb honeycomb, HoneycombOffer offer, Registered registered) {
        if (!mayChange(registered)) {
            return CompletableFuture.completedFuture(registered); // nothing may be changed: what is closed stays so
        }
        long until = parts.term().agreed();
        return honeycomb
                .registered(until, offer, registered.getLostReplicasList())
                .thenApply(settled -> {
                    if (settled) {
                        return beginTerm(registered, until);
                    }
                    requestAgain();
                    return registered;
                });
    }

    /**
     * Ends all leases before it registers: what is cached is dropped, and what is held back is written, before the
     * queen-bee can let others at it. What could not be written in time is named to her, and not written before she has
     * answered.
     */
    private CompletableFuture<Registered> endLeasesAndSend(RpcConnection on, @Nullable HoneycombOffer offer) {
        long number = begun.incrementAndGet();
        return parts.cache().end().thenCompose(done -> {
            CompletableFuture<Void> ended = new CompletableFuture<>();
            noteOnItsWay(ended); // before opens are listed
            return Futures.attempt(() -> send(on, number, offer))
                    .whenComplete((registered, failure) -> ended.complete(null));
        });
    }

    private CompletableFuture<Registered> send(RpcConnection on, long number, @Nullable HoneycombOffer offer) {
        long doubt = parts.sending().stop(); // before what is held back is listed
        long sentAt = parts.clock().bootNanos();
        RequestWindow asked = window;
        // Before opens too: she takes an open for over that counts as heard and is not listed.
        long acknowledged = asked.acknowledged();
        Decisions made = decisions;
        // Before opens, which are added before what made them can be asked for.
        List<QueenRequest> decidedHere = made == null ? List.of() : made.toWire(asked);
        List<OpenFile> asserted = parts.opens().assertAll();
        Register.Builder register = Register.newBuilder()
                .setDesktop(parts.desktop().name())
                .setProcess(process)
                .setHive(hive)
                .setSession(asked.session())
                .setAcknowledged(acknowledged)
                .setNumber(number)
                .addAllOpenFiles(asserted)
                .addAllEnding(parts.opens().ending())
                .addAllEnded(parts.opens().ended(parts.answered().durable()))
                .addAllChanges(parts.answered().toWire())
                .addAllDecided(decidedHere)
                .addAllHeldBack(parts.sending().heldBack().inodes())
                .setDurable(parts.answered().durable())
                .setProgram(parts.desktop().hello().getProgram())
                .addAllMounts(parts.desktop().mounts().get())
                .addAllUnreached(parts.desktop().unreached().get());
        if (offer != null) {
            register.setHoneycomb(offer);
        }
        QueenRequest request = QueenRequest.newBuilder().setRegister(register).build();
        CompletableFuture<Message<QueenReply>> answer = on.call(request, QueenReply.parser(), deadline);
        parts.untold().asserted(asserted);
        return answer.thenApply(reply -> adopt(reply.body(), number, sentAt, doubt))
                .whenComplete((done, failure) -> {
                    if (failure == null) {
                        registered.run();
                    }
                });
    }

    private synchronized Registered adopt(QueenReply reply, long number, long sentAt, long doubt) {
        if (reply.getFailure().getErrno() == Errno.EAGAIN.number()) {
            throw PosixException.of(
                    reply.getFailure()); // overtaken by a later registration of ours: none for people to hear of
        }
        if (reply.getFailure().getErrno() != 0) {
            throw refused(PosixException.of(reply.getFailure()));
        }
        Registered registered = reply.getRegistered();
        if (!hive.isEmpty() && !hive.equals(registered.getHive())) {
            throw refused(
                    new PosixException(Errno.EPROTO, "this queen-bee has another hive than the one mounted here"));
        }
        hive = registered.getHive();
        news.registered(window.session(), registered);
        if (registered.getSession() != window.session()) {
            window = new RequestWindow(registered.getSession());
        }
        parts.opens().lose(registered.getLostHandlesList());
        parts.sending().heldBack().giveUp(registered.getOvertakenList());
        parts.supply().begin(registered.getNewInodes());
        Decisions made = decisions;
        if (made != null && mayChange(registered)) { // otherwise what was brought is not carried out
            made.brought();
        }
        parts.term().agree(sentAt, registered);
        if (number == begun.get()) {
            parts.cache().registered(sentAt, registered);
            parts.sending().confirm(doubt);
            endIfOvertaken(number);
        }
        return registered;
    }

    /** A registration that has begun in between ends all leases, perhaps before they were taken for valid here. */
    private void endIfOvertaken(long number) {
        if (number != begun.get()) {
            parts.cache().end();
        }
    }

    private PosixException refused(PosixException refusal) {
        news.refused(refusal);
        return refusal;
    }

    private void lost() {
        if (window.session() != 0) {
            news.lost();
        }
    }
}
