package org.beefs.honeybee.filesystem;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.LocalReplicaAccess;
import org.beefs.common.replica.ReplicaPin;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Create;
import org.beefs.common.wire.CreateUnnamed;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.Open;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.honeybee.Futures;
import org.beefs.honeybee.data.DelayedFile;
import org.beefs.honeybee.data.Honeycombs;
import org.beefs.honeybee.data.ReplicaTargets;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.beefs.honeybee.queen.Opened;
import org.beefs.honeybee.queen.QueenProxy;

/** Opens and releases files. */
final class OpenFiles {
    private final QueenProxy queen;
    private final Honeycombs honeycombs;
    private final HandleTable handles;
    private final CurrentAttributes current;
    private final Content content;
    private final Timers timers;
    private final Duration statusPatience;

    OpenFiles(
            QueenProxy queen,
            Honeycombs honeycombs,
            HandleTable handles,
            CurrentAttributes current,
            Content content,
            Timers timers,
            Duration statusPatience) {
        this.queen = queen;
        this.honeycombs = honeycombs;
        this.handles = handles;
        this.current = current;
        this.content = content;
        this.timers = timers;
        this.statusPatience = statusPatience;
    }

    /**
     * Opens a file. Answers attributes as the queen-bee knows them: the kernel asks for the present ones itself. It
     * also refuses to open a running program to write, but would look at one that is only truncated too late: that is
     * refused here.
     */
    CompletableFuture<OpenedFile> open(Credentials caller, long inode, OpenFlags flags) {
        if (flags.truncate() && !flags.write() && handles.isRunning(inode)) {
            return CompletableFuture.failedFuture(new PosixException(Errno.ETXTBSY, "the program runs"));
        }
        Open.Builder open = Open.newBuilder()
                .setInode(inode)
                .setRead(flags.read())
                .setWrite(flags.write() || flags.truncate())
                .setExecute(flags.execute())
                .setPassthrough(handles.isInPassthrough(inode));
        Opened known = open.getWrite()
                ? null
                : queen.openKnown(caller, open, open.getPassthrough() ? honeycombs::isPrimary : honeycombs::isAtHand);
        if (known != null) {
            return CompletableFuture.completedFuture(opened(known.node().getAttributes(), add(known, flags)));
        }
        return queen.open(caller, open).thenCompose(opened -> {
            OpenHandle handle = add(opened, flags);
            return orRelease(
                    handle,
                    flags.truncate()
                            ? cut(caller, handle, opened.node())
                            : prepared(handle).thenApply(_ -> opened.node().getAttributes()));
        });
    }

    CompletableFuture<OpenedFile> create(
            Credentials caller, long directory, ByteString name, int mode, int umask, OpenFlags flags) {
        Create.Builder create = Create.newBuilder()
                .setParent(directory)
                .setName(name)
                .setMode(mode)
                .setUmask(umask)
                .setExclusive(flags.exclusive())
                .setRead(flags.read())
                .setWrite(flags.write() || flags.truncate())
                .setTruncate(flags.truncate());
        return queen.create(caller, create).thenCompose(opened -> {
            OpenHandle handle = add(opened, flags);
            return opened.node().getCreated()
                    ? CompletableFuture.completedFuture(made(opened, handle))
                    : orRelease(handle, found(caller, handle, opened.node(), flags.truncate()));
        });
    }

    /** Makes a file without a name. */
    CompletableFuture<OpenedFile> createUnnamed(
            Credentials caller, long directory, int mode, int umask, OpenFlags flags) {
        CreateUnnamed.Builder create = CreateUnnamed.newBuilder()
                .setParent(directory)
                .setMode(mode)
                .setUmask(umask)
                .setLinkable(!flags.exclusive());
        return queen.createUnnamed(caller, create).thenApply(opened -> made(opened, add(opened, flags)));
    }

    private OpenedFile opened(Attributes attributes, OpenHandle handle) {
        return new OpenedFile(attributes, handle.number(), mayKeepPages(handle), false);
    }

    private OpenedFile made(Opened opened, OpenHandle handle) {
        return new OpenedFile(opened.node().getAttributes(), handle.number(), mayKeepPages(handle), true);
    }

    /** Opens a file for a change of its content by the file system itself. */
    CompletableFuture<OpenHandle> openToChange(Credentials caller, long inode) {
        return queen.open(caller, Open.newBuilder().setInode(inode).setWrite(true))
                .thenApply(this::add);
    }

    private OpenHandle add(Opened opened, OpenFlags flags) {
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

    OpenHandle add(Opened opened) {
        Node node = opened.node();
        DelayedFile delayed = node.getWriteLeased()
                ? honeycombs.writeBehind().open(node.getAttributes().getInode())
                : null;
        OpenHandle handle = handles.add(opened, delayed);
        if (delayed == null) {
            handle.watch(honeycombs.writeBehind().find(node.getAttributes().getInode()));
        }
        handle.answeredLater(opened.answered());
        handle.open().toldLayout().thenAccept(layout -> handle.moved(layout, opened.session()));
        return handle;
    }

    /**
     * Ends an open. What a writer has left behind is told with it; when the honeycomb cannot be asked in time the
     * release goes without, and the queen-bee asks the honeycomb herself. A writer whose file the kernel has written by
     * itself is told of when certainly nobody writes it any more, which may take as long as a program keeps a mapping.
     */
    CompletableFuture<Void> release(long number) {
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
                .thenCompose(done -> pin.map(OpenFiles::lastStatus).orElseGet(() -> finalStatus(handle)))
                .thenCompose(status -> queen.release(handle.open(), status.orElse(null)));
    }

    /** Ends all opens of this mount. One that the kernel ends at the same time does not keep the others from it. */
    CompletableFuture<Void> releaseAll() {
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

    /** The attributes of a file that a create has found: its content counts, or is cut off. */
    private CompletableFuture<Attributes> found(Credentials caller, OpenHandle handle, Node node, boolean truncate) {
        if (!node.getLayout().getDirty()) {
            return CompletableFuture.completedFuture(node.getAttributes());
        }
        return current.statusOf(node).thenCompose(status -> {
            handle.changes().observe(status);
            return truncate && status.getExists()
                    ? cut(caller, handle, node)
                    : prepared(handle).thenApply(_ -> current.with(node, status));
        });
    }

    /**
     * Prepares a file that is to be written, so that giving it to the kernel waits neither for the disk nor for the
     * right to write. That has run out while the machine slept, and the queen-bee may answer an open before she is
     * asked for it. What fails here fails there again, and is told then.
     */
    private CompletableFuture<Void> prepared(OpenHandle handle) {
        LocalReplicaAccess local = handle.open().write() ? honeycombs.local(handle.layout()) : null;
        return local == null
                ? CompletableFuture.completedFuture(null)
                : queen.regainTerm(queen.patience())
                        .thenCompose(_ -> local.prepareToWrite(ReplicaTargets.of(handle.layout())))
                        .exceptionally(_ -> null);
    }

    private CompletableFuture<Attributes> cut(Credentials caller, OpenHandle handle, Node node) {
        boolean clearPrivileges = caller.getUid() != 0;
        return clearPrivileges && handle.inode().givesPrivileges()
                ? content.truncate(handle, 0, true)
                        .thenCompose(status -> current.with(node.getAttributes().getInode(), status))
                : content.truncate(handle, 0, false).thenApply(status -> current.with(node, status));
    }

    /** The opened file; if the step after the open failed nobody else will ever release the handle. */
    private CompletableFuture<OpenedFile> orRelease(OpenHandle handle, CompletableFuture<Attributes> step) {
        return step.whenComplete((attributes, failure) -> {
                    if (failure != null) {
                        release(handle.number());
                    }
                })
                .thenApply(attributes -> opened(attributes, handle));
    }

    /** What is in this process is cached once already; who writes wants to see what he has written. */
    private boolean mayKeepPages(OpenHandle handle) {
        return !handle.open().write() && honeycombs.local(handle.layout()) == null;
    }
}
