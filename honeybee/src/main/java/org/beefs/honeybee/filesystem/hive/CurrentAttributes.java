package org.beefs.honeybee.filesystem.hive;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.honeybee.data.Honeycombs;
import org.beefs.honeybee.data.ReplicaTargets;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.content.OpenHandles;
import org.beefs.honeybee.queen.Metadata;

/**
 * What is true of an inode now: its node, and for a dirty file what its honeycomb says, or has said last if nobody else
 * can change it. A honeycomb that is away is waited for, then the answer is EIO: no outdated size is shown.
 */
final class CurrentAttributes {
    private final Metadata metadata;
    private final Honeycombs honeycombs;
    private final OpenHandles handles;
    private final AccessTimes accesses;
    private final Timers timers;
    private final Duration statusPatience;

    /** @param statusPatience how long what can do without the state of a dirty file waits for it */
    CurrentAttributes(
            Metadata metadata,
            Honeycombs honeycombs,
            OpenHandles handles,
            AccessTimes accesses,
            Timers timers,
            Duration statusPatience) {
        this.metadata = metadata;
        this.honeycombs = honeycombs;
        this.handles = handles;
        this.accesses = accesses;
        this.timers = timers;
        this.statusPatience = statusPatience;
    }

    CompletableFuture<Attributes> get(long inode) {
        return metadata.attributes(inode).thenCompose(this::of);
    }

    /** The present attributes, from a node that the queen-bee has answered. */
    CompletableFuture<Attributes> of(Node node) {
        handles.observe(node.getAttributes());
        return node.getLayout().getDirty()
                ? statusOf(node)
                        .thenCompose(status -> AttributeMerger.isOutdated(node.getLayout(), status)
                                ? again(node)
                                : CompletableFuture.completedFuture(merged(node, status)))
                        .exceptionallyCompose(failure -> againIfStale(node, failure))
                : known(node);
    }

    /** The present attributes, from a node that was found by its name, as {@link FileSystem#lookupEntry} wants them. */
    CompletableFuture<Attributes> found(Node node) {
        return maySayWhatWasKnown(node) && isUnseen(node) ? known(node) : of(node);
    }

    /**
     * The present attributes, from a node that was just changed. That must not be answered as if it had failed because
     * nobody says what size the file has: then size, blocks and times are those that were known last.
     */
    CompletableFuture<Attributes> changed(Node node) {
        if (!maySayWhatWasKnown(node)) {
            return of(node);
        }
        if (isUnseen(node)) {
            return known(node);
        }
        CompletableFuture<Attributes> asked = of(node);
        return Futures.within(timers, statusPatience, asked).thenCompose(present -> {
            boolean mustWait = present.isPresent() || !maySayWhatWasKnown(node); // opened meanwhile
            return mustWait ? asked : known(node);
        });
    }

    /**
     * Whether a file's attributes may be those that were known last. Not while it is open here: the kernel would take
     * the size for the end of what it may read, and drop what programs have written behind it in mappings.
     */
    private boolean maySayWhatWasKnown(Node node) {
        return node.getLayout().getDirty() && handles.find(node.getAttributes().getInode()) == null;
    }

    /** Whether the queen-bee says that nobody is there to be asked. */
    private static boolean isUnseen(Node node) {
        return node.getLayout().getAddress().isEmpty();
    }

    /** The attributes as the queen-bee knows them. */
    private CompletableFuture<Attributes> known(Node node) {
        return CompletableFuture.completedFuture(accesses.shown(node.getAttributes()));
    }

    /** The present attributes, with a status of the replica that is known already. */
    CompletableFuture<Attributes> with(long inode, ReplicaStatus status) {
        return metadata.attributes(inode).thenApply(node -> with(node, status));
    }

    Attributes with(Node node, ReplicaStatus status) {
        handles.observe(node.getAttributes());
        return merged(node, status);
    }

    private Attributes merged(Node node, ReplicaStatus status) {
        return accesses.shown(AttributeMerger.merge(node, status));
    }

    CompletableFuture<ReplicaStatus> statusOf(Node node) {
        return honeycombs
                .writeBehind()
                .status(node.getAttributes().getInode())
                .thenCompose(
                        known -> known.map(CompletableFuture::completedFuture).orElseGet(() -> askFor(node)));
    }

    private CompletableFuture<ReplicaStatus> askFor(Node node) {
        return honeycombs
                .at(node.getLayout())
                .statuses(List.of(ReplicaTargets.of(node.getLayout())))
                .thenApply(CurrentAttributes::only);
    }

    /** The replica may have changed its epoch, or gone, since the queen-bee answered: then she knows more now. */
    private CompletableFuture<Attributes> againIfStale(Node node, Throwable failure) {
        if (Failures.toPosix(failure).errno() != Errno.ESTALE) {
            return CompletableFuture.failedFuture(failure);
        }
        return again(node);
    }

    private CompletableFuture<Attributes> again(Node node) {
        return metadata.freshAttributes(node.getAttributes().getInode()).thenCompose(present -> {
            handles.observe(present.getAttributes());
            return present.getLayout().getDirty()
                    ? statusOf(present).thenApply(status -> merged(present, status))
                    : known(present);
        });
    }

    private static ReplicaStatus only(List<ReplicaStatus> statuses) {
        if (statuses.size() != 1) {
            throw new PosixException(
                    Errno.EIO, "the honeycomb answered for " + statuses.size() + " replicas, not for 1");
        }
        return statuses.getFirst();
    }
}
