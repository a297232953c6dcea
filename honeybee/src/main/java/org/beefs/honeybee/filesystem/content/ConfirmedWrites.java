package org.beefs.honeybee.filesystem.content;

import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.honeybee.heldback.SendingTerm;
import org.beefs.honeybee.queen.QueenProxy;
import org.beefs.honeybee.queen.WriteRight;

/**
 * Writes that were answered before they are sent: others may have used the file since if the queen-bee has not been
 * heard for so long that leases may have ended, and then she is asked before. Thread-safe.
 */
final class ConfirmedWrites {
    private final WriteRight right;
    private final SendingTerm sending;

    ConfirmedWrites(QueenProxy queen) {
        this.right = queen.writeRight();
        this.sending = queen.sending();
    }

    /**
     * Sends a write as soon, and as often, as it may be sent.
     *
     * @param wanted false when others have used the file: it fails with EIO then
     * @param write sends it once; fails with EAGAIN when it was not sent because it may not be
     */
    CompletableFuture<ReplicaStatus> send(BooleanSupplier wanted, Supplier<CompletableFuture<ReplicaStatus>> write) {
        return sending.holds() || !wanted.getAsBoolean()
                ? attempt(wanted, write)
                : right.confirmHeldBack(right.patience()).thenCompose(confirmed -> attempt(wanted, write));
    }

    private CompletableFuture<ReplicaStatus> attempt(
            BooleanSupplier wanted, Supplier<CompletableFuture<ReplicaStatus>> write) {
        long doubts = sending.doubts();
        return write.get()
                .exceptionallyCompose(failure -> Failures.toPosix(failure).errno() == Errno.EAGAIN
                                && (!sending.holds() || sending.doubts() != doubts)
                        ? send(wanted, write)
                        : CompletableFuture.failedFuture(failure));
    }
}
