package org.beefs.honeybee.queen;

import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.Open;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Release;
import org.beefs.honeybee.ConcurrencyLimit;
import org.beefs.honeybee.HoneybeeConfig;
import org.beefs.honeybee.cache.CacheView;
import org.beefs.honeybee.cache.MetadataCache;
import org.jspecify.annotations.Nullable;

/** Tells the queen-bee of opens, and of their ends. Thread-safe; no method blocks. */
final class OpenCalls {
    private final HoneybeeConfig config;
    private final OpenRegistry opens;
    private final UntoldOpens untold;
    private final MetadataCache cache;
    private final QueenCalls calls;
    private final Changes changes;
    private final Registration registration;
    private final ConcurrencyLimit releases;

    /**
     * @param releases for what waits much longer than others for a queen-bee that is away, and does not take their
     *     places
     */
    OpenCalls(
            SessionParts parts,
            HoneybeeConfig config,
            QueenCalls calls,
            Changes changes,
            Registration registration,
            ConcurrencyLimit releases) {
        this.config = config;
        this.opens = parts.opens();
        this.untold = parts.untold();
        this.cache = parts.cache();
        this.calls = calls;
        this.changes = changes;
        this.registration = registration;
        this.releases = releases;
    }

    /**
     * Makes a change that opens a file under a handle, and keeps the open asserted from then on. The answer has no
     * record when the change turned out to open nothing: {@code SetAttributes} of a clean file.
     */
    CompletableFuture<Opened> open(
            QueenRequest.Builder request, long handle, boolean write, @Nullable CacheView origin) {
        if (opens.full()) {
            return Futures.failed(Errno.ENFILE, config.maxOpenFiles() + " files are open on this desktop");
        }
        long validity = layoutValidity(write);
        DecidedChanges.Made made =
                request.hasOpen() ? null : changes.decideToOpen(request, origin, node -> openIfWritten(node, handle));
        return made != null ? openDecided(made, handle, validity) : openAsked(request, handle, write, validity, origin);
    }

    private CompletableFuture<Opened> openDecided(DecidedChanges.Made made, long handle, long validity) {
        made.answer().thenAccept(reply -> releaseIfUnasked(reply.getNode(), made, handle));
        return made.told()
                .thenApply(reply -> new Opened(
                        reply.getNode(),
                        opens.find(handle),
                        validity,
                        made.answer().thenApply(QueenReply::getNode)));
    }

    private CompletableFuture<Opened> openAsked(
            QueenRequest.Builder request, long handle, boolean write, long validity, @Nullable CacheView origin) {
        long recalled = cache.recalled();
        QueenCall call =
                calls.change(request.hasOpen() ? QueenCall.Kind.REPEATABLE : QueenCall.Kind.CHANGE, request, origin);
        return changes.ask(call, reply -> {
                    OpenRecord open = note(request, reply.getNode(), handle, write);
                    return Opened.of(reply.getNode(), open, write ? validity : unlessRecalled(validity, recalled));
                })
                .thenCompose(opened -> asserted(call, opened))
                .whenComplete((opened, failure) -> releaseIfUnknown(handle, failure));
    }

    /**
     * The validity of the layout of an open to read that is noted by now. A recall that came while it was under way may
     * have looked for it in vain ({@link OpenRegistry#isAnyRead}): then it counts as of an earlier one, so that she is
     * asked where the content is before it is read.
     *
     * @param recalled recalls that had come before she was asked
     */
    private long unlessRecalled(long validity, long recalled) {
        return cache.recalled() == recalled ? validity : validity - 1;
    }

    /** As {@link QueenProxy#layoutValidity}. */
    long layoutValidity(boolean write) {
        return write ? registration.window().session() : cache.layoutsGeneration();
    }

    /**
     * Opens a file to read that is known, under the lease on its attributes, to be clean and where it can be read, and
     * that the caller may read; the queen-bee hears of it in time. Null when she has to be asked.
     *
     * @param mask the right that the caller needs
     * @param isAtHand whether content can be read by this layout at once; who opens what is away asks her where it can
     *     be read just then
     */
    @Nullable
    Opened openKnown(QueenRequest.Builder request, Credentials caller, int mask, Predicate<Layout> isAtHand) {
        long inode = request.getOpen().getInode();
        if (opens.full() || !untold.hasRoom()) {
            return null;
        }
        long validity = layoutValidity(false);
        OpenRecord open = opens.add(OpenRecord.untold(inode, request.getOpen().getHandle()));
        untold.add(open, request.build());
        Node node = cache.readable(caller, inode, mask);
        if (node == null || !isAtHand.test(node.getLayout())) {
            release(Release.newBuilder()
                    .setInode(inode)
                    .setHandle(open.handle())
                    .build());
            return null;
        }
        return Opened.of(node, open, validity);
    }

    /**
     * Opens again what is open, under the same handle, for its present layout and the right to go there. The queen-bee
     * has checked at the first open what the caller may do. Fails with EBADF when it has been released: what a program
     * does not wait for any more, as it was killed, may still ask for this.
     */
    CompletableFuture<Node> openAgain(OpenRecord open) {
        QueenRequest.Builder request = QueenRequest.newBuilder()
                .setOpen(Open.newBuilder()
                        .setInode(open.inode())
                        .setHandle(open.handle())
                        .setRead(true)
                        .setWrite(open.write()));
        return untold.tell(open.handle())
                .thenCompose(told -> isOpen(open)
                        ? changes.askInTurn(calls.change(QueenCall.Kind.REPEATABLE, request, null))
                        : notOpen(open))
                .whenComplete((reply, failure) -> releaseIfOver(open, failure))
                .thenApply(QueenReply::getNode);
    }

    private boolean isOpen(OpenRecord open) {
        return opens.find(open.handle()) == open;
    }

    private static <T> CompletableFuture<T> notOpen(OpenRecord open) {
        return open.lost()
                ? Futures.failed(Errno.ESTALE, "inode %d has gone".formatted(open.inode()))
                : Futures.failed(Errno.EBADF, "inode %d is not open any more".formatted(open.inode()));
    }

    /** The release may have been carried out before what opened it again. */
    private void releaseIfOver(OpenRecord open, @Nullable Throwable failure) {
        if (isOpen(open)) {
            return;
        }
        if (failure == null) {
            release(open.handle());
        } else {
            releaseIfUnknown(open.handle(), failure);
        }
    }

    private void release(long handle) {
        release(Release.newBuilder().setHandle(handle).build());
    }

    /**
     * Ends an open. It is no longer asserted from here on, and a registration on its way that may assert it is waited
     * for: it could bring back a handle whose release was carried out before. Should the release get lost, the
     * queen-bee knows no such open any more, and examines; a registration tells her of it meanwhile.
     *
     * <p>Releases wait much longer than others for a queen-bee that is away, so they do not take the places of others.
     */
    CompletableFuture<Void> release(Release release) {
        long handle = release.getHandle();
        if (release.getReadWhole()) {
            untold.tell(handle); // she has to know who has read what
        }
        OpenRecord open = opens.remove(handle);
        if (open != null && !open.end()) {
            untold.forget(handle);
            opens.over(handle);
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> told = open == null ? CompletableFuture.completedFuture(null) : open.tellingEnded();
        QueenCall call = calls.ofOpen(QueenRequest.newBuilder().setRelease(release));
        return CurrentRequest.of(registration.noneOnItsWay())
                .thenCompose(done -> CurrentRequest.of(told))
                .thenCompose(done -> releases.run(() -> release(call, handle)))
                .whenComplete((reply, failure) -> {
                    if (failure != null) {
                        opens.over(handle);
                    }
                })
                .thenApply(reply -> null);
    }

    /** Keeps its place until there is room to remember more such ends. */
    private CompletableFuture<QueenReply> release(QueenCall call, long handle) {
        return call.run(reply -> {
                    opens.over(handle, reply);
                    return reply;
                })
                .thenCompose(changes::whenThereIsRoom);
    }

    /**
     * Releases an open that the queen-bee may have carried out although its answer never came, or that could not be
     * asserted. A release of what is not open does no harm.
     */
    private void releaseIfUnknown(long handle, @Nullable Throwable failure) {
        if (failure != null && Failures.toPosix(failure).errno() == Errno.EIO) {
            release(handle);
        }
    }

    /**
     * Releases an open that nobody here asked for: a file that was clean here is dirty to her, as when its honeycomb
     * has just found it changed, so she has opened it to set its times.
     */
    private void releaseIfUnasked(Node answer, DecidedChanges.Made made, long handle) {
        boolean isOpenHere = made.decided().reply().getNode().getLayout().getDirty();
        if (!isOpenHere && answer.getLayout().getDirty()) {
            release(handle);
        }
    }

    /** Notes the open that she has answered; null when it turned out to be none. */
    private @Nullable OpenRecord note(QueenRequest.Builder request, Node node, long handle, boolean write) {
        boolean nothing = request.hasSetAttributes() && !node.getLayout().getDirty();
        return nothing ? null : opens.add(OpenRecord.told(node.getAttributes().getInode(), handle, write));
    }

    /**
     * Has an open asserted again, if need be, before anybody relies on it. The queen-bee forgets opens when she
     * restarts, and a registration may have missed one that was under way, although it was answered before.
     */
    private CompletableFuture<Opened> asserted(QueenCall call, Opened opened) {
        return opened.open() == null || registration.begun() == call.registrationsBefore()
                ? CompletableFuture.completedFuture(opened)
                : CurrentRequest.of(registration.awaitAgain(call.patience())).thenApply(done -> opened);
    }

    /**
     * Notes an open of a file that is made, or of one that is written while its times are set; not of others. That is
     * before the queen-bee can be asked, so each registration that brings what was decided asserts the open too.
     */
    private void openIfWritten(Node made, long handle) {
        if (made.getLayout().getDirty()) {
            opens.add(OpenRecord.told(made.getAttributes().getInode(), handle, true));
        }
    }
}
