package org.beefs.honeybee.queen;

import com.google.protobuf.Parser;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.LocalHoneycomb;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.Service;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Recall;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers what the queen-bee asks of this desktop: recalls by its cache, locks by who waits for them, all else by its
 * honeycomb.
 */
final class DesktopService implements Service<DesktopRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(DesktopService.class);

    private final SessionParts parts;
    private final DecidedChanges decided;
    private final LockRequests locks;

    DesktopService(SessionParts parts, DecidedChanges decided, LockRequests locks) {
        this.parts = parts;
        this.decided = decided;
        this.locks = locks;
    }

    @Override
    public Parser<DesktopRequest> requests() {
        return DesktopRequest.parser();
    }

    @Override
    public void handle(Message<DesktopRequest> request, Responder responder) {
        request.payload().close();
        LOG.debug("the queen-bee asks {}", request.body().getOperationCase());
        Futures.attempt(() -> serve(request.body()))
                .exceptionally(failure -> DesktopReply.newBuilder()
                        .setFailure(Failures.toPosix(failure).toFailure())
                        .build())
                .thenAccept(reply -> answer(request.body(), reply, responder));
    }

    /**
     * Answers a request, some of them without haste. That replicas are gone and records kept lets the queen-bee ask for
     * the next ones, and more of these come together when the answer does not wake her by itself.
     */
    private static void answer(DesktopRequest request, DesktopReply reply, Responder responder) {
        if (request.hasDrop() || request.hasRecords()) {
            responder.answerUnhurried(reply);
        } else {
            responder.answer(reply);
        }
    }

    /** What is read where files were begins before the answer, so nobody has written them elsewhere by then. */
    private CompletableFuture<DesktopReply> recall(Recall recall) {
        return parts.cache()
                .recall(recall)
                .thenCompose(released -> parts.untold().tell().thenApply(told -> released))
                .thenCompose(released -> decided.answered().thenApply(answered -> released))
                .thenApply(released -> {
                    if (recall.getEverything() || parts.opens().isAnyRead(recall.getInodesList())) {
                        parts.cache().startLayoutsGeneration();
                    }
                    return DesktopReply.newBuilder()
                            .addAllReleasedDirectories(released)
                            .build();
                });
    }

    private CompletableFuture<DesktopReply> serve(DesktopRequest request) {
        if (request.hasRecall()) {
            return recall(request.getRecall());
        }
        if (request.hasLocksGranted()) {
            locks.granted(
                    request.getLocksGranted().getTicketsList(),
                    request.getLocksGranted().getChange());
            return CompletableFuture.completedFuture(DesktopReply.getDefaultInstance());
        }
        LocalHoneycomb honeycomb = parts.desktop().honeycomb();
        if (honeycomb == null) {
            throw new PosixException(Errno.ENODEV, "this desktop has no honeycomb");
        }
        return honeycomb.serve(request).thenApply(reply -> {
            parts.cache()
                    .copied(request.getFetch().getFetchesList().stream()
                            .map(fetch -> fetch.getReplica().getInode())
                            .toList());
            return reply;
        });
    }
}
