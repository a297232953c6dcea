package org.beefs.honeybee.queen;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.Outgoing;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.Reconnector;
import org.beefs.common.rpc.RequestWindow;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.honeybee.Patience;
import org.beefs.honeybee.cache.CacheView;
import org.beefs.honeybee.cache.Decided;
import org.beefs.honeybee.cache.MetadataCache;
import org.beefs.honeybee.cache.Stamp;
import org.jspecify.annotations.Nullable;

/**
 * One request to the queen-bee, over all attempts to have it answered.
 *
 * <p>A change is numbered once and carries its number in each attempt, so the queen-bee, which keeps its answers across
 * restarts as long as it keeps the session, carries it out once. When the session itself has ended, the answers kept
 * for it are gone. The change may then be made under the new session only if it was certainly not carried out under the
 * old one. That is so exactly when the only attempt made under the old session was answered with
 * {@code unknown_session}: that answer says that this attempt was not carried out, a session that ended never comes
 * back, and there was no other attempt. An earlier attempt whose answer was lost may have been carried out just before
 * the session ended, and then the change fails with EIO. In order to learn which it is, a change that was sent is sent
 * on under its old number even when a new session is there already: a queen-bee that has forgotten the session says so.
 *
 * <p>{@link Kind#REPEATABLE} changes do no harm when they are carried out twice, and are sent under whatever session
 * there is.
 *
 * <p>Thread-safe: attempts follow one another, but on different threads.
 */
final class QueenCall {
    enum Kind {
        /** Without a number, as it does no harm when it is carried out twice: questions, and locks. */
        UNNUMBERED,
        CHANGE,
        REPEATABLE,
        /** Was made here, under a delegation. */
        DECIDED;

        /** Whether its attempts carry a number, by which the queen-bee carries it out once. */
        boolean isNumbered() {
            return this != UNNUMBERED;
        }

        /** Whether it does no harm when it is carried out twice. */
        boolean mayBeRepeated() {
            return this != CHANGE;
        }
    }

    /**
     * What calls need of their session.
     *
     * @param sendHeld sends what was decided here and is held, to be done before anything else is asked
     */
    record Context(
            Reconnector queen,
            Registration registration,
            MetadataCache cache,
            AnsweredChanges answered,
            UntoldOpens untold,
            Runnable sendHeld) {}

    private final Context context;
    private final Kind kind;
    private final QueenRequest request;
    private final @Nullable CacheView origin;
    private final @Nullable Decided decided;
    private final Duration attemptDeadline;
    private final Patience patience;

    // Guarded by this.
    private @Nullable RequestWindow window;
    private long sequence;
    private int sent;
    private boolean ended;
    private long registrationsBefore = -1;
    private Stamp stamp;

    /** The request as it was sent last, in the window. */
    private @Nullable QueenRequest sentLast;

    private volatile boolean answered;

    /** Done when the other mounts of this desktop show what was answered. */
    private volatile CompletableFuture<Void> settled = CompletableFuture.completedFuture(null);

    /**
     * @param origin the mount that makes the request; null when it is the daemon's own
     * @param decided what was made here before it is asked for; null for all but {@link Kind#DECIDED}
     * @param begun of this moment
     */
    QueenCall(
            Context context,
            Kind kind,
            QueenRequest request,
            @Nullable CacheView origin,
            @Nullable Decided decided,
            Duration attemptDeadline,
            Stamp begun,
            Patience patience) {
        this.context = context;
        this.decided = decided;
        this.kind = kind;
        this.request = request;
        this.origin = origin;
        this.attemptDeadline = attemptDeadline;
        this.patience = patience;
        this.stamp = begun;
    }

    /**
     * The queen-bee's answer, which is no failure. Fails with {@link PosixException}: hers, or EIO when there is none.
     */
    CompletableFuture<QueenReply> run() {
        return run(Function.identity());
    }

    /**
     * Runs the call, and answers what {@code use} makes of the queen-bee's answer. That is made before the number
     * counts as answered: a registration thus either says that the answer has not come, or knows what followed from it.
     */
    <T> CompletableFuture<T> run(Function<QueenReply, T> use) {
        if (kind == Kind.DECIDED) {
            context.untold.tell(); // ahead of it, and nothing here has to wait for that
            return ask().thenApply(QueenCall::result).thenApply(use).whenComplete((made, failure) -> end());
        }
        context.sendHeld.run();
        if (!kind.isNumbered()) {
            return ask().thenApply(QueenCall::result).thenApply(use);
        }
        Runnable changed = context.cache.changing(request);
        return CurrentRequest.of(tellOpensAhead())
                .thenCompose(told -> ask())
                .thenCompose(reply -> CurrentRequest.of(settled).thenApply(done -> reply))
                .thenApply(QueenCall::result)
                .thenApply(use)
                .whenComplete((made, failure) -> {
                    changed.run();
                    end();
                });
    }

    /**
     * Tells the queen-bee of opens before a change that may remove a file: a program that has the file open here keeps
     * it, if she knows that before. An open to read, and a release, remove nothing.
     */
    private CompletableFuture<Void> tellOpensAhead() {
        boolean onlyReads = request.hasOpen() && !request.getOpen().getWrite();
        return onlyReads || request.hasRelease() ? CompletableFuture.completedFuture(null) : context.untold.tell();
    }

    /** What is left for what follows from the answer. */
    Patience patience() {
        return patience;
    }

    /** How large the request is. */
    int bytes() {
        return request.getSerializedSize();
    }

    /** Whether the queen-bee has answered. */
    boolean isAnswered() {
        return answered;
    }

    /** Registrations begun before this request was sent for the first time. */
    synchronized long registrationsBefore() {
        return registrationsBefore;
    }

    private CompletableFuture<QueenReply> ask() {
        Duration left = patience.left();
        if (left.isZero()) {
            return Futures.failed(Errno.EIO, "the queen-bee did not take the request up in time");
        }
        return context.queen
                .call(this::attempt, QueenReply.parser(), attemptDeadline, left, this::arrived)
                .exceptionallyCompose(this::unanswered)
                .thenCompose(this::answered);
    }

    private synchronized Outgoing attempt() {
        requireGoingOn();
        RequestWindow current = context.registration.window();
        if (registrationsBefore < 0) {
            registrationsBefore = context.registration.begun();
        }
        if (window == null || (window != current && (sent == 0 || kind.mayBeRepeated()))) {
            number(current);
        }
        stamp = stamp(context.cache.stamp());
        sent++;
        QueenRequest message = numbered();
        sentLast = message;
        return new Outgoing(message, Payload.NONE, isAwaited(), decided != null);
    }

    /** Nobody would give the number of a later attempt back. */
    private void requireGoingOn() {
        if (ended) {
            throw new PosixException(Errno.EIO, "the request was given up");
        }
    }

    private QueenRequest numbered() {
        QueenRequest.Builder message = request.toBuilder().setSession(window().session());
        if (kind.isNumbered()) {
            message.setSequence(sequence).setAcknowledged(window().acknowledged());
        }
        return message.build();
    }

    /** Whether a program waits for the answer: not for that to a release, nor to what was decided here. */
    private boolean isAwaited() {
        return decided == null && !request.hasRelease();
    }

    /**
     * The stamp of the present attempt. An answer that the queen-bee has kept is as old as the first attempt, and so
     * are the leases in it.
     */
    private Stamp stamp(Stamp now) {
        return sent == 0 || !kind.isNumbered() ? stamp.sentAnew(now) : stamp.sentAgain(now);
    }

    /**
     * Takes the answer over before anything that came later is looked at: the cache sees answers and recalls in their
     * order.
     */
    private void arrived(QueenReply reply) {
        if (reply.getUnknownSession()) {
            context.cache.drop(); // no session, no leases
        } else {
            answered = true;
            context.answered.answered(request, reply);
            Decided made = decided;
            if (made == null) {
                settled = context.cache.answered(stamp(), request, reply, origin);
            } else if (reply.getFailure().getErrno() == 0) {
                context.cache.answeredDecided(made, stamp().sentAt(), reply);
            }
        }
    }

    private synchronized Stamp stamp() {
        return stamp;
    }

    private synchronized void number(RequestWindow current) {
        giveBack();
        window = current;
        sent = 0;
        sequence = kind.isNumbered() ? current.begin() : 0;
    }

    private CompletableFuture<QueenReply> answered(Message<QueenReply> reply) {
        reply.payload().close();
        if (!reply.body().getUnknownSession()) {
            return CompletableFuture.completedFuture(reply.body());
        }
        if (!refused()) {
            forgetIfUncertain();
            return Futures.failed(
                    Errno.EIO,
                    "the session with the queen-bee ended while a change was under way: whether it was made is not known");
        }
        return CurrentRequest.of(context.registration.awaitReplacement(window(), patience))
                .thenCompose(done -> ask());
    }

    /**
     * An attempt was refused because its session has ended. Answers whether the request may be sent in another session.
     */
    private synchronized boolean refused() {
        boolean certainlyNotDone = sent == 1 || kind.mayBeRepeated();
        sent = certainlyNotDone ? 0 : sent;
        return certainlyNotDone;
    }

    /** Nobody will say what has become of this change, so what is known may be wrong. */
    private void forgetIfUncertain() {
        boolean uncertain;
        synchronized (this) {
            uncertain = kind.isNumbered() && sent > 0;
        }
        if (uncertain) {
            context.cache.drop();
        }
    }

    /** The request as it was sent in that session; without a number if it was not. */
    synchronized QueenRequest numberedIn(RequestWindow session) {
        return window == session && sentLast != null ? sentLast : request;
    }

    /** No number follows. */
    private synchronized void end() {
        ended = true;
        giveBack();
    }

    /** The present number, if there is one, is done with. */
    private void giveBack() {
        if (window != null && kind.isNumbered()) {
            window.end(sequence);
        }
    }

    private synchronized RequestWindow window() {
        if (window == null) {
            throw new IllegalStateException("not sent yet");
        }
        return window;
    }

    /** What the program is told without an answer: EIO, except EAGAIN when too much is asked at once. */
    private CompletableFuture<Message<QueenReply>> unanswered(Throwable failure) {
        PosixException cause = Failures.toPosix(failure);
        if (cause.errno() != Errno.EAGAIN) {
            forgetIfUncertain();
        }
        return CompletableFuture.failedFuture(
                cause.errno() == Errno.EAGAIN ? cause : new PosixException(Errno.EIO, cause.getMessage()));
    }

    private static QueenReply result(QueenReply reply) {
        if (reply.getFailure().getErrno() != 0) {
            throw PosixException.of(reply.getFailure());
        }
        return reply;
    }
}
