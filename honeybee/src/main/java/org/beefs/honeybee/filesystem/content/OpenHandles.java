package org.beefs.honeybee.filesystem.content;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.ReplicaPin;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.honeybee.data.DelayedFile;
import org.beefs.honeybee.data.Honeycombs;
import org.beefs.honeybee.data.ReplicaTargets;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.honeybee.queen.OpenRecord;
import org.beefs.honeybee.queen.Opened;
import org.beefs.honeybee.queen.QueenProxy;
import org.jspecify.annotations.Nullable;

/**
 * The files that are open through this mount: their handles, from the queen-bee's answer to an open to the release of
 * it, and their inodes. Thread-safe. The session bounds the number of opens.
 */
public final class OpenHandles {
    private record Counted(OpenInode inode, int handles) {}

    private final QueenProxy queen;
    private final Honeycombs honeycombs;
    private final Timers timers;
    private final Duration statusPatience;
    private final Map<Long, OpenHandle> handles = new ConcurrentHashMap<>();
    private final Map<Long, Counted> inodes = new ConcurrentHashMap<>();

    /** @param statusPatience how long a release waits for the state of a replica */
    public OpenHandles(QueenProxy queen, Honeycombs honeycombs, Timers timers, Duration statusPatience) {
        this.queen = queen;
        this.honeycombs = honeycombs;
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
        OpenHandle handle = add(opened, delayed);
        if (delayed == null) {
            handle.watch(honeycombs.writeBehind().find(node.getAttributes().getInode()));
        }
        handle.answeredLater(opened.answered());
        handle.open().toldLayout().thenAccept(layout -> handle.moved(layout, opened.layoutValidity()));
        return handle;
    }

    private OpenHandle add(Opened opened, @Nullable DelayedFile delayed) {
        Node node = opened.node();
        OpenRecord open = Objects.requireNonNull(opened.open());
        int mode = node.getAttributes().getMode();
        Counted counted = inodes.merge(
                open.inode(),
                new Counted(new OpenInode(open.inode(), mode), 1),
                (known, fresh) -> new Counted(known.inode(), known.handles() + 1));
        counted.inode().observeOpened(node);
        OpenHandle handle = new OpenHandle(opened, open, counted.inode(), delayed, honeycombs::restarts);
        handles.put(open.handle(), handle);
        if (open.write()) {
            counted.inode().observeWriter(handle);
            counted.inode().unsynced().open();
        }
        return handle;
    }

    /** Fails with EBADF when it is not open, ESTALE when the file was lost with a session. */
    public OpenHandle get(long number) {
        OpenHandle handle = requireOpen(number, handles.get(number));
        if (handle.open().lost()) {
            throw new PosixException(Errno.ESTALE, "the open file went away while the queen-bee was out of reach");
        }
        return handle;
    }

    /** The inode that is open under the number; 0 when none is. */
    public long inodeOf(long number) {
        OpenHandle handle = handles.get(number);
        return handle == null ? 0 : handle.open().inode();
    }

    /** What is known of an inode; null when it is not open. */
    public @Nullable OpenInode find(long inode) {
        Counted known = inodes.get(inode);
        return known == null ? null : known.inode();
    }

    /**
     * The last handle that was opened to write an inode; null when there is none, or the file was lost. It may be
     * released by now.
     */
    public @Nullable OpenHandle writer(long inode) {
        OpenInode known = find(inode);
        OpenHandle writer = known == null ? null : known.writer();
        return writer == null || writer.open().lost() ? null : writer;
    }

    /** Whether a program runs that was started through this mount. */
    public boolean isRunning(long inode) {
        return inodes.containsKey(inode)
                && handles.values().stream()
                        .anyMatch(handle ->
                                handle.isForExecution() && handle.inode().number() == inode);
    }

    /** The queen-bee said what an inode is like now. */
    public void observe(Attributes attributes) {
        OpenInode known = find(attributes.getInode());
        if (known != null) {
            known.observeMode(attributes.getMode());
        }
    }

    /**
     * Ends an open. What a writer has left behind is told with it; when that is not certain, and the honeycomb cannot
     * be asked in time, the release goes without, and the queen-bee asks the honeycomb herself. One that is away, and
     * may only be asleep, is believed what it answered last. A writer whose file the kernel has written by itself is
     * told of when certainly nobody writes it any more, which may take as long as a program keeps a mapping. Fails with
     * EBADF when it is not open.
     */
    public CompletableFuture<Void> release(long number) {
        OpenHandle handle = remove(number);
        return handle.flush().thenCompose(done -> end(handle));
    }

    private OpenHandle remove(long number) {
        OpenHandle handle = requireOpen(number, handles.remove(number));
        if (handle.open().write()) {
            handle.inode().unsynced().close();
        }
        inodes.computeIfPresent(
                handle.open().inode(),
                (inode, known) -> known.handles() == 1 ? null : new Counted(known.inode(), known.handles() - 1));
        return handle;
    }

    private static OpenHandle requireOpen(long number, @Nullable OpenHandle handle) {
        if (handle == null) {
            throw new PosixException(Errno.EBADF, "handle " + number + " is not open");
        }
        return handle;
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
        return CompletableFuture.allOf(List.copyOf(handles.keySet()).stream()
                .map(number -> Futures.attempt(() -> release(number)))
                .toArray(CompletableFuture[]::new));
    }

    private static CompletableFuture<Optional<ReplicaStatus>> lastStatus(ReplicaPin pin) {
        return pin.release().handle((status, failure) -> Optional.ofNullable(status));
    }

    private CompletableFuture<Optional<ReplicaStatus>> finalStatus(OpenHandle handle) {
        Optional<ReplicaStatus> known = handle.changes().lastStatus();
        boolean connected = honeycombs.isConnected(handle.layout());
        return known.isPresent() && (connected || handle.inode().unsynced().isAskedInVain(false))
                ? CompletableFuture.completedFuture(known)
                : ask(handle).thenApply(present -> present.or(handle.changes()::lastStatus));
    }

    private CompletableFuture<Optional<ReplicaStatus>> ask(OpenHandle handle) {
        CompletableFuture<ReplicaStatus> asked = Futures.attempt(() -> honeycombs
                .at(handle.layout())
                .statuses(List.of(ReplicaTargets.of(handle.layout())))
                .thenApply(List::getFirst));
        return Futures.within(timers, statusPatience, asked);
    }

    /**
     * Asks a honeycomb that may have lost its power without anybody's having noticed what has become of what was
     * written there: who closes the file is told then.
     */
    public CompletableFuture<Void> noticeLoss(OpenHandle handle) {
        UnsyncedChanges unsynced = handle.inode().unsynced();
        Layout layout = handle.layout();
        boolean connected = honeycombs.isConnected(layout);
        if (!handle.open().write()
                || unsynced.isEmpty()
                || (connected && !handle.changes().isOutdated())
                || unsynced.isAskedInVain(connected)) {
            return Futures.DONE;
        }
        return ask(handle)
                .thenAccept(present -> present.ifPresentOrElse(
                        status -> {
                            unsynced.seen(layout, status);
                            handle.observe(status);
                        },
                        unsynced::unanswered));
    }
}
