package org.beefs.honeybee.filesystem.hive;

import com.google.protobuf.ByteString;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.LocalReplicaAccess;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Create;
import org.beefs.common.wire.CreateUnnamed;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.Open;
import org.beefs.honeybee.data.Honeycombs;
import org.beefs.honeybee.data.ReplicaTargets;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.beefs.honeybee.filesystem.content.Content;
import org.beefs.honeybee.filesystem.content.OpenHandle;
import org.beefs.honeybee.filesystem.content.OpenHandles;
import org.beefs.honeybee.filesystem.content.OpenInode;
import org.beefs.honeybee.queen.Opened;
import org.beefs.honeybee.queen.QueenProxy;
import org.beefs.honeybee.queen.WriteRight;

/** Opens and creates files. */
final class OpenFiles {
    private final QueenProxy queen;
    private final WriteRight right;
    private final Honeycombs honeycombs;
    private final OpenHandles handles;
    private final CurrentAttributes current;
    private final Content content;

    OpenFiles(
            QueenProxy queen, Honeycombs honeycombs, OpenHandles handles, CurrentAttributes current, Content content) {
        this.queen = queen;
        this.right = queen.writeRight();
        this.honeycombs = honeycombs;
        this.handles = handles;
        this.current = current;
        this.content = content;
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
        OpenInode alreadyOpen = handles.find(inode);
        Open.Builder open = Open.newBuilder()
                .setInode(inode)
                .setRead(flags.read())
                .setWrite(flags.write() || flags.truncate())
                .setExecute(flags.execute())
                .setPassthrough(alreadyOpen != null && alreadyOpen.isOfferedForPassthrough());
        Opened known = open.getWrite()
                ? null
                : queen.openKnown(caller, open, open.getPassthrough() ? honeycombs::isPrimary : honeycombs::isAtHand);
        if (known != null) {
            return CompletableFuture.completedFuture(opened(known.node().getAttributes(), handles.add(known, flags)));
        }
        return queen.open(caller, open).thenCompose(opened -> {
            OpenHandle handle = handles.add(opened, flags);
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
            OpenHandle handle = handles.add(opened, flags);
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
        return queen.createUnnamed(caller, create).thenApply(opened -> made(opened, handles.add(opened, flags)));
    }

    private OpenedFile opened(Attributes attributes, OpenHandle handle) {
        return new OpenedFile(attributes, handle.number(), mayKeepPages(handle), false);
    }

    private OpenedFile made(Opened opened, OpenHandle handle) {
        return new OpenedFile(opened.node().getAttributes(), handle.number(), mayKeepPages(handle), true);
    }

    /** The attributes of a file that a create has found: its content counts, or is cut off. */
    private CompletableFuture<Attributes> found(Credentials caller, OpenHandle handle, Node node, boolean truncate) {
        if (!node.getLayout().getDirty()) {
            return CompletableFuture.completedFuture(node.getAttributes());
        }
        return current.statusOf(node).thenCompose(status -> {
            handle.observe(status);
            return truncate && status.getExists()
                    ? cut(caller, handle, node)
                    : prepared(handle).thenApply(_ -> current.with(node, status));
        });
    }

    /**
     * Prepares a file that is to be written, so that giving it to the kernel waits neither for the disk nor for the
     * right to write. The right has run out while the machine slept, and the queen-bee may answer an open before she is
     * asked for it. What fails here fails again when the file is given to the kernel, and is told then.
     */
    private CompletableFuture<Void> prepared(OpenHandle handle) {
        LocalReplicaAccess local = handle.open().write() ? honeycombs.local(handle.layout()) : null;
        return local == null
                ? CompletableFuture.completedFuture(null)
                : right.regain(right.patience())
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
                        handles.release(handle.number());
                    }
                })
                .thenApply(attributes -> opened(attributes, handle));
    }

    /** What is in this process is cached once already; who writes wants to see what he has written. */
    private boolean mayKeepPages(OpenHandle handle) {
        return !handle.open().write() && honeycombs.local(handle.layout()) == null;
    }
}
