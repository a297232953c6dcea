package org.beefs.honeybee.filesystem.content;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.ReplicaAccess;
import org.beefs.common.wire.Layout;
import org.beefs.honeybee.data.Honeycombs;
import org.beefs.honeybee.data.ReplicaTargets;

/** Copies content from one open file to another inside the honeycomb that has both, so that it travels nowhere. */
final class HoneycombCopies {
    private final PresentLayouts layouts;
    private final Honeycombs honeycombs;
    private final PrimaryReplica primary;
    private final Privileges privileges;

    HoneycombCopies(PresentLayouts layouts, Honeycombs honeycombs, PrimaryReplica primary, Privileges privileges) {
        this.layouts = layouts;
        this.honeycombs = honeycombs;
        this.primary = primary;
        this.privileges = privileges;
    }

    /**
     * Copies what lies in one honeycomb there, at most {@link ReplicaAccess#MAX_COPY} bytes. Fails with EXDEV if it
     * does not, also when it is not certain any more where it lies: who reads and writes instead finds out.
     */
    CompletableFuture<Long> copy(
            OpenHandle source, long from, OpenHandle target, long to, long length, boolean clearPrivileges) {
        target.changes().begin(); // a release waits from here on
        return together(source, target)
                .whenComplete((_, failure) -> {
                    if (failure != null) {
                        target.changes().end();
                    }
                })
                .thenCompose(there -> copyBegun(source, there, from, target, to, length, clearPrivileges))
                .exceptionallyCompose(failure -> Failures.toPosix(failure).errno() == Errno.ESTALE
                        ? Futures.failed(Errno.EXDEV, "the files may lie elsewhere by now")
                        : CompletableFuture.failedFuture(failure));
    }

    /** Where the source is, if the target is there too; else fails with EXDEV. */
    private CompletableFuture<Layout> together(OpenHandle source, OpenHandle target) {
        return Futures.attempt(() -> layouts.of(source))
                .thenCompose(there -> layouts.of(target).thenApply(here -> {
                    requireTogether(there, here);
                    return there;
                }));
    }

    private CompletableFuture<Long> copyBegun(
            OpenHandle source,
            Layout there,
            long from,
            OpenHandle target,
            long to,
            long length,
            boolean clearPrivileges) {
        long most = Math.min(length, ReplicaAccess.MAX_COPY);
        AtomicLong copied = new AtomicLong();
        return primary.changeAfter(
                        target,
                        most,
                        () -> privileges.clear(target.inode(), clearPrivileges),
                        present -> atHoneycombOf(source, there, present),
                        (replicas, written) -> replicas.copy(ReplicaTargets.of(there), from, written, to, most)
                                .thenApply(done -> {
                                    copied.set(done.bytes());
                                    return done.status();
                                }))
                .thenApply(status -> copied.get());
    }

    /** Either may have moved since, as while the change waited for the queen-bee. */
    private ReplicaAccess atHoneycombOf(OpenHandle source, Layout there, Layout target) {
        if (!layouts.isUpToDate(source)) {
            throw new PosixException(Errno.EXDEV, "the source may lie elsewhere by now");
        }
        requireTogether(there, target);
        return honeycombs.at(target);
    }

    private static void requireTogether(Layout source, Layout target) {
        if (!source.getHoneycomb().equals(target.getHoneycomb())) {
            throw new PosixException(Errno.EXDEV, "the files lie in different honeycombs");
        }
    }
}
