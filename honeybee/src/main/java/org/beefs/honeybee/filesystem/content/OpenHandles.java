package org.beefs.honeybee.filesystem.content;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.replica.ReplicaPin;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.honeybee.Futures;
import org.beefs.honeybee.data.DelayedFile;
import org.beefs.honeybee.data.Honeycombs;
import org.beefs.honeybee.data.ReplicaTargets;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.honeybee.queen.Opened;
import org.beefs.honeybee.queen.QueenProxy;

/** The handles of this mount from the queen-bee's answer to an open to the release of it. Thread-safe. */
public final class OpenHandles {
    private final QueenProxy queen;
    private final Honeycombs honeycombs;
    private final HandleTable handles;
    private final Timers timers;
    private final Duration statusPatience;

    /** @param statusPatience how long a release waits for the state of a replica */
    public OpenHandles(
            QueenProxy queen, Honeycombs honeycombs, HandleTable handles, Timers timers, Duration statusPatience) {
        this.queen = queen;
        this.honeycombs = honeycombs;
        this.handles = handles;
        this.timers = timers;
        this.statusPatience = statusPatience;
    }

    /** A program has opened a file. */
    public OpenHandle add(Opened opened, OpenFlags flags) {
        OpenHandle handle = add(opened);
        if ((flags.read() || flags.execute()) && !flags.keepAccessTime()) {
            handle.observeUnread(opened.node().getAttributes());
        }
        if (flags.read() && flags.write()) {
            handle.openedForUpdate();
        }
        if (flags.execute()) {
            handle.openedForExecution();
        }
        return handle;
    }

    /** The file system itself has opened a file, to change it. */
    public OpenHandle add(Opened opened) {
        Node node = opened.node();
        DelayedFile delayed = node.getWriteLeased()
                ? honeycombs.writeBehind().open(node.getAttributes().getInode())
                : null;
        OpenHandle handle = handles.add(opened, delayed);
        if (delayed == null) {
            handle.watch(honeycombs.writeBehind().find(node.getAttributes().getInode()));
        }
        handle.answeredLater(opened.answered());
        handle.open().toldLayout().thenAccept(layout -> handle.moved(layout, opened.placesTerm()));
        return handle;
    }

    /**
     * Ends an open. What a writer has left behind is told with it; when the honeycomb cannot be asked in time the
     * release goes without, and the queen-bee asks the honeycomb herself. A writer whose file the kernel has written by
     * itself is told of when certainly nobody writes it any more, which may take as long as a program keeps a mapping.
     */
    public CompletableFuture<Void> release(long number) {
        OpenHandle handle = handles.remove(number);
        return handle.flush().thenCompose(done -> end(handle));
    }

    private CompletableFuture<Void> end(OpenHandle handle) {
        if (handle.delayed() != null) {
            honeycombs.writeBehind().close(handle.delayed());
        }
        Optional<ReplicaPin> pin = handle.release();
        if (handle.open().lost() || !handle.open().write()) {
            pin.ifPresent(ReplicaPin::release);
            return handle.open().lost()
                    ? CompletableFuture.completedFuture(null)
                    : queen.releaseReader(handle.open(), handle.isReadWhole());
        }
        return handle.changes()
                .quiet()
                .thenCompose(done -> pin.map(OpenHandles::lastStatus).orElseGet(() -> finalStatus(handle)))
                .thenCompose(status -> queen.release(handle.open(), status.orElse(null)));
    }

    /** Ends all opens of this mount. One that the kernel ends at the same time does not keep the others from it. */
    public CompletableFuture<Void> releaseAll() {
        return CompletableFuture.allOf(handles.numbers().stream()
                .map(number -> Futures.attempt(() -> release(number)))
                .toArray(CompletableFuture[]::new));
    }

    private static CompletableFuture<Optional<ReplicaStatus>> lastStatus(ReplicaPin pin) {
        return pin.release().handle((status, failure) -> Optional.ofNullable(status));
    }

    private CompletableFuture<Optional<ReplicaStatus>> finalStatus(OpenHandle handle) {
        Optional<ReplicaStatus> known = handle.changes().lastStatus();
        if (known.isPresent()) {
            return CompletableFuture.completedFuture(known);
        }
        CompletableFuture<ReplicaStatus> asked = Futures.attempt(() -> honeycombs
                .at(handle.layout())
                .statuses(List.of(ReplicaTargets.of(handle.layout())))
                .thenApply(List::getFirst));
        return Futures.within(timers, statusPatience, asked);
    }
}
