package org.beefs.honeybee.filesystem.content;

import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.wire.Layout;
import org.beefs.honeybee.queen.QueenProxy;

/** Where the content of open files is by now. Thread-safe. */
final class PresentLayouts {
    private final QueenProxy queen;

    PresentLayouts(QueenProxy queen) {
        this.queen = queen;
    }

    /**
     * Where an open file's content is. The queen-bee is asked when the file may have got another primary since the
     * handle knows that, of which the former one need not know.
     */
    CompletableFuture<Layout> of(OpenHandle handle) {
        return isUpToDate(handle) ? CompletableFuture.completedFuture(handle.layout()) : ask(handle);
    }

    /**
     * As {@link #of}, for what changes nothing: while the queen-bee is away, or takes no writers, content is read where
     * it was.
     */
    CompletableFuture<Layout> toRead(OpenHandle handle) {
        if (isUpToDate(handle) || !queen.isConnected()) {
            return CompletableFuture.completedFuture(handle.layout());
        }
        return ask(handle)
                .exceptionallyCompose(failure -> cannotBeAsked(failure)
                        ? CompletableFuture.completedFuture(handle.layout())
                        : CompletableFuture.failedFuture(failure));
    }

    /** Whether the file is where the handle knows it to be. */
    boolean isUpToDate(OpenHandle handle) {
        return handle.layoutValidity() == queen.layoutValidity(handle.open().write());
    }

    private static boolean cannotBeAsked(Throwable failure) {
        Errno errno = Failures.toPosix(failure).errno();
        return errno == Errno.EIO || errno == Errno.EROFS || errno == Errno.EAGAIN;
    }

    /** Asks the queen-bee, who gives this desktop the right to go there. */
    CompletableFuture<Layout> ask(OpenHandle handle) {
        long asked = queen.layoutValidity(handle.open().write());
        return queen.openAgain(handle.open()).thenApply(node -> {
            handle.moved(node.getLayout(), asked);
            return node.getLayout();
        });
    }
}
