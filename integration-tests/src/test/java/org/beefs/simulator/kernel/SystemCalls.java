package org.beefs.simulator.kernel;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.FileSystemSpace;
import org.beefs.common.wire.FoundLock;
import org.beefs.honeybee.filesystem.AttributeChange;
import org.beefs.honeybee.filesystem.FileLock;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeycomb.memory.OutsideFile;
import org.jspecify.annotations.Nullable;

/**
 * A mounted hive as one operation of a program sees it. Takes the place of {@link FileSystem}, in the same words, with
 * the kernel in between: what that remembers is not asked for, and what it reads and writes by itself does not pass by
 * the daemon.
 */
public final class SystemCalls implements FileSystem {
    /** Bytes that the kernel keeps together. */
    public static final int PAGE = Pages.SIZE;

    private final SimKernel kernel;
    private final PathWalk walk;
    private final NameCalls names;
    private final FileCalls files;

    SystemCalls(SimKernel kernel, Trust trust) {
        this.kernel = kernel;
        this.walk = new PathWalk(kernel, trust);
        this.files = new FileCalls(kernel, walk, trust);
        this.names = new NameCalls(kernel, walk, files);
    }

    /**
     * As stat(2) of a path whose last directory is known already: the right to search, the name, and the attributes
     * come one after the other.
     */
    @Override
    public CompletableFuture<Attributes> lookup(Credentials caller, long directory, ByteString name) {
        return walk.permit(caller, directory, Permissions.EXECUTE)
                .thenCompose(_ -> walk.find(caller, directory, name))
                .thenCompose(walk::attributes);
    }

    @Override
    public CompletableFuture<Attributes> getAttributes(long inode) {
        return walk.attributes(inode);
    }

    /** As the driver answers: pages that would pass for current are dropped before. */
    @Override
    public CompletableFuture<Attributes> setAttributes(Credentials caller, long inode, AttributeChange change) {
        Long handle = change.handle();
        Function<FileSystem, CompletableFuture<Attributes>> request = fileSystem -> fileSystem
                .setAttributes(caller, inode, change)
                .thenCompose(changed -> kernel.beforeChange(inode, change).thenApply(_ -> changed));
        return kernel.locks()
                .exclusive(
                        inode,
                        () -> handle == null ? kernel.ask(request, changed()) : files.ask(handle, request, changed()));
    }

    private Answer<Attributes, Attributes> changed() {
        return attributes -> {
            long lifetime = kernel.lifetimes().changedAttributes(attributes);
            return () -> {
                kernel.inodes().take(attributes, lifetime);
                return attributes;
            };
        };
    }

    @Override
    public CompletableFuture<Void> checkAccess(Credentials caller, long inode, int mask) {
        return walk.permit(caller, inode, mask);
    }

    @Override
    public CompletableFuture<ByteString> readSymbolicLink(Credentials caller, long inode) {
        return files.readLink(caller, inode);
    }

    @Override
    public CompletableFuture<Attributes> makeNode(
            Credentials caller, long directory, ByteString name, int mode, int umask, int device) {
        return names.make(
                caller,
                directory,
                name,
                fileSystem -> fileSystem.makeNode(caller, directory, name, mode, umask, device));
    }

    @Override
    public CompletableFuture<Attributes> makeDirectory(
            Credentials caller, long directory, ByteString name, int mode, int umask) {
        return names.make(
                caller, directory, name, fileSystem -> fileSystem.makeDirectory(caller, directory, name, mode, umask));
    }

    @Override
    public CompletableFuture<Attributes> makeSymbolicLink(
            Credentials caller, long directory, ByteString name, ByteString target) {
        return names.make(
                caller, directory, name, fileSystem -> fileSystem.makeSymbolicLink(caller, directory, name, target));
    }

    @Override
    public CompletableFuture<Attributes> link(Credentials caller, long inode, long directory, ByteString name) {
        return names.link(caller, inode, directory, name);
    }

    @Override
    public CompletableFuture<Void> unlink(Credentials caller, long directory, ByteString name) {
        return names.remove(caller, directory, name, fileSystem -> fileSystem.unlink(caller, directory, name));
    }

    @Override
    public CompletableFuture<Void> removeDirectory(Credentials caller, long directory, ByteString name) {
        return names.remove(caller, directory, name, fileSystem -> fileSystem.removeDirectory(caller, directory, name));
    }

    @Override
    public CompletableFuture<Void> rename(
            Credentials caller,
            long oldDirectory,
            ByteString oldName,
            long newDirectory,
            ByteString newName,
            RenameMode mode) {
        return names.rename(caller, oldDirectory, oldName, newDirectory, newName, mode);
    }

    @Override
    public CompletableFuture<OpenedFile> create(
            Credentials caller, long directory, ByteString name, int mode, int umask, OpenFlags flags) {
        return names.create(caller, directory, name, mode & ~umask, flags);
    }

    @Override
    public CompletableFuture<OpenedFile> createUnnamed(
            Credentials caller, long directory, int mode, int umask, OpenFlags flags) {
        throw notAsked();
    }

    @Override
    public CompletableFuture<OpenedFile> open(Credentials caller, long inode, OpenFlags flags) {
        return files.open(caller, inode, flags);
    }

    @Override
    public OptionalInt backingFile(long handle, boolean required) {
        throw notAsked();
    }

    @Override
    public boolean wantsFlush(long handle) {
        throw notAsked();
    }

    @Override
    public CompletableFuture<Void> flush(long handle, long inode, long lockOwner) {
        throw notAsked();
    }

    @Override
    public CompletableFuture<Void> clearPrivileges(long inode) {
        throw notAsked();
    }

    @Override
    public CompletableFuture<Long> copy(
            long source, long from, long target, long to, long length, boolean clearPrivileges) {
        throw notAsked();
    }

    @Override
    public CompletableFuture<Optional<FoundLock>> findLock(long inode, FileLock wanted) {
        throw notAsked();
    }

    @Override
    public CompletableFuture<Void> setLock(
            long handle, long inode, FileLock lock, CompletableFuture<Void> interrupted) {
        return files.ask(handle, fileSystem -> fileSystem.setLock(handle, inode, lock, interrupted), Answer.plain());
    }

    private static UnsupportedOperationException notAsked() {
        return new UnsupportedOperationException(
                "a matter between driver and daemon, or not among the simulated programs' calls");
    }

    /** The replica's file, if the kernel reads and writes that by itself. */
    public @Nullable OutsideFile past(long handle) {
        return kernel.files().past(handle);
    }

    /** Whether the kernel keeps what is read through a handle. */
    public boolean isPaged(long handle) {
        return kernel.files().isPaged(handle);
    }

    /** Whether the daemon may answer writes before they are where others see them. */
    public boolean isBehind(long handle) {
        return past(handle) == null && kernel.files().wantsFlush(handle);
    }

    @Override
    public CompletableFuture<Payload.Bytes> read(long handle, long offset, int length) {
        return files.read(handle, offset, length);
    }

    @Override
    public CompletableFuture<Void> write(
            long handle, long offset, ByteBuf content, boolean append, boolean clearPrivileges) {
        return files.write(handle, offset, content, append, clearPrivileges);
    }

    @Override
    public CompletableFuture<Void> writePages(long handle, long offset, ByteBuf content, boolean clearPrivileges) {
        return files.write(handle, offset, content, false, clearPrivileges);
    }

    @Override
    public CompletableFuture<Void> sync(long handle, boolean dataOnly) {
        return files.sync(handle, dataOnly);
    }

    @Override
    public CompletableFuture<Void> allocate(long handle, int mode, long offset, long length, boolean clearPrivileges) {
        return files.allocate(handle, mode, offset, length, clearPrivileges);
    }

    @Override
    public CompletableFuture<Long> seek(long handle, long offset, boolean hole) {
        return files.ask(handle, fileSystem -> fileSystem.seek(handle, offset, hole), Answer.plain());
    }

    @Override
    public CompletableFuture<Void> release(long handle) {
        return files.release(handle);
    }

    /** Closes a file that stays mapped; done when the hive knows that nobody uses it any more. */
    public CompletableFuture<Void> releaseMapped(long handle) {
        return files.forget(handle);
    }

    /** Closes a file whose program was killed, and waits for nothing. */
    public CompletableFuture<Void> releaseKilled(long handle) {
        return files.releaseKilled(handle);
    }

    @Override
    public CompletableFuture<Void> openDirectory(Credentials caller, long directory) {
        return walk.permit(caller, directory, Permissions.READ)
                .thenCompose(
                        _ -> kernel.ask(fileSystem -> fileSystem.openDirectory(caller, directory), Answer.plain()));
    }

    @Override
    public CompletableFuture<Listing> listDirectory(long directory, long after, int limit, boolean withAttributes) {
        return names.list(directory, after, limit, withAttributes);
    }

    @Override
    public CompletableFuture<Void> syncDirectory(long directory) {
        return kernel.ask(fileSystem -> fileSystem.syncDirectory(directory), Answer.plain());
    }

    @Override
    public CompletableFuture<FileSystemSpace> space() {
        return kernel.ask(FileSystem::space, Answer.plain());
    }

    @Override
    public CompletableFuture<ByteString> getXattr(Credentials caller, long inode, ByteString name) {
        return kernel.ask(fileSystem -> fileSystem.getXattr(caller, inode, name), Answer.plain());
    }

    @Override
    public CompletableFuture<Void> setXattr(
            Credentials caller, long inode, ByteString name, ByteString value, boolean create, boolean replace) {
        return changeXattr(inode, fileSystem -> fileSystem.setXattr(caller, inode, name, value, create, replace));
    }

    @Override
    public CompletableFuture<List<ByteString>> listXattrs(Credentials caller, long inode) {
        return kernel.ask(fileSystem -> fileSystem.listXattrs(caller, inode), Answer.plain());
    }

    @Override
    public CompletableFuture<Void> removeXattr(Credentials caller, long inode, ByteString name) {
        return changeXattr(inode, fileSystem -> fileSystem.removeXattr(caller, inode, name));
    }

    private CompletableFuture<Void> changeXattr(long inode, Function<FileSystem, CompletableFuture<Void>> request) {
        return kernel.locks()
                .exclusive(
                        inode,
                        () -> kernel.ask(
                                request, Answer.then(() -> kernel.inodes().stale(inode))));
    }
}
