package org.beefs.honeybee.filesystem;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.FileSystemSpace;
import org.beefs.common.wire.FoundLock;

/** A file system that is another one, but for what a subclass overrides. */
public abstract class ForwardingFileSystem implements FileSystem {
    private final FileSystem inner;

    protected ForwardingFileSystem(FileSystem inner) {
        this.inner = inner;
    }

    @Override
    public Lifetimes attach(KernelCache kernel) {
        return inner.attach(kernel);
    }

    @Override
    public CompletableFuture<Attributes> lookup(Credentials caller, long directory, ByteString name) {
        return inner.lookup(caller, directory, name);
    }

    @Override
    public CompletableFuture<Attributes> lookupEntry(Credentials caller, long directory, ByteString name) {
        return inner.lookupEntry(caller, directory, name);
    }

    @Override
    public CompletableFuture<Attributes> getAttributes(long inode) {
        return inner.getAttributes(inode);
    }

    @Override
    public CompletableFuture<Attributes> setAttributes(Credentials caller, long inode, AttributeChange change) {
        return inner.setAttributes(caller, inode, change);
    }

    @Override
    public CompletableFuture<Void> checkAccess(Credentials caller, long inode, int mask) {
        return inner.checkAccess(caller, inode, mask);
    }

    @Override
    public CompletableFuture<ByteString> readSymbolicLink(Credentials caller, long inode) {
        return inner.readSymbolicLink(caller, inode);
    }

    @Override
    public CompletableFuture<Attributes> makeNode(
            Credentials caller, long directory, ByteString name, int mode, int umask, int device) {
        return inner.makeNode(caller, directory, name, mode, umask, device);
    }

    @Override
    public CompletableFuture<Attributes> makeDirectory(
            Credentials caller, long directory, ByteString name, int mode, int umask) {
        return inner.makeDirectory(caller, directory, name, mode, umask);
    }

    @Override
    public CompletableFuture<Attributes> makeSymbolicLink(
            Credentials caller, long directory, ByteString name, ByteString target) {
        return inner.makeSymbolicLink(caller, directory, name, target);
    }

    @Override
    public CompletableFuture<Attributes> link(Credentials caller, long inode, long directory, ByteString name) {
        return inner.link(caller, inode, directory, name);
    }

    @Override
    public CompletableFuture<Void> unlink(Credentials caller, long directory, ByteString name) {
        return inner.unlink(caller, directory, name);
    }

    @Override
    public CompletableFuture<Void> removeDirectory(Credentials caller, long directory, ByteString name) {
        return inner.removeDirectory(caller, directory, name);
    }

    @Override
    public CompletableFuture<Void> rename(
            Credentials caller,
            long oldDirectory,
            ByteString oldName,
            long newDirectory,
            ByteString newName,
            RenameMode mode) {
        return inner.rename(caller, oldDirectory, oldName, newDirectory, newName, mode);
    }

    @Override
    public CompletableFuture<OpenedFile> create(
            Credentials caller, long directory, ByteString name, int mode, int umask, OpenFlags flags) {
        return inner.create(caller, directory, name, mode, umask, flags);
    }

    @Override
    public CompletableFuture<OpenedFile> createUnnamed(
            Credentials caller, long directory, int mode, int umask, OpenFlags flags) {
        return inner.createUnnamed(caller, directory, mode, umask, flags);
    }

    @Override
    public CompletableFuture<OpenedFile> open(Credentials caller, long inode, OpenFlags flags) {
        return inner.open(caller, inode, flags);
    }

    @Override
    public OptionalInt backingFile(long handle, boolean required) {
        return inner.backingFile(handle, required);
    }

    @Override
    public CompletableFuture<Payload.Bytes> read(long handle, long offset, int length) {
        return inner.read(handle, offset, length);
    }

    @Override
    public CompletableFuture<Void> write(
            long handle, long offset, ByteBuf content, boolean append, boolean clearPrivileges) {
        return inner.write(handle, offset, content, append, clearPrivileges);
    }

    @Override
    public CompletableFuture<Void> writePages(long handle, long offset, ByteBuf content, boolean clearPrivileges) {
        return inner.writePages(handle, offset, content, clearPrivileges);
    }

    @Override
    public CompletableFuture<Void> sync(long handle, boolean dataOnly) {
        return inner.sync(handle, dataOnly);
    }

    @Override
    public CompletableFuture<Void> allocate(long handle, int mode, long offset, long length, boolean clearPrivileges) {
        return inner.allocate(handle, mode, offset, length, clearPrivileges);
    }

    @Override
    public CompletableFuture<Long> copy(
            long source, long from, long target, long to, long length, boolean clearPrivileges) {
        return inner.copy(source, from, target, to, length, clearPrivileges);
    }

    @Override
    public CompletableFuture<Long> seek(long handle, long offset, boolean hole) {
        return inner.seek(handle, offset, hole);
    }

    @Override
    public CompletableFuture<Optional<FoundLock>> findLock(long inode, FileLock wanted) {
        return inner.findLock(inode, wanted);
    }

    @Override
    public CompletableFuture<Void> setLock(
            long handle, long inode, FileLock lock, CompletableFuture<Void> interrupted) {
        return inner.setLock(handle, inode, lock, interrupted);
    }

    @Override
    public boolean wantsFlush(long handle) {
        return inner.wantsFlush(handle);
    }

    @Override
    public CompletableFuture<Void> flush(long handle, long inode, long lockOwner) {
        return inner.flush(handle, inode, lockOwner);
    }

    @Override
    public CompletableFuture<Void> release(long handle) {
        return inner.release(handle);
    }

    @Override
    public CompletableFuture<Void> openDirectory(Credentials caller, long directory) {
        return inner.openDirectory(caller, directory);
    }

    @Override
    public CompletableFuture<Listing> listDirectory(long directory, long after, int limit, boolean withAttributes) {
        return inner.listDirectory(directory, after, limit, withAttributes);
    }

    @Override
    public CompletableFuture<Void> syncDirectory(long directory) {
        return inner.syncDirectory(directory);
    }

    @Override
    public CompletableFuture<FileSystemSpace> space() {
        return inner.space();
    }

    @Override
    public CompletableFuture<Void> clearPrivileges(long inode) {
        return inner.clearPrivileges(inode);
    }

    @Override
    public CompletableFuture<ByteString> getXattr(Credentials caller, long inode, ByteString name) {
        return inner.getXattr(caller, inode, name);
    }

    @Override
    public CompletableFuture<Void> setXattr(
            Credentials caller, long inode, ByteString name, ByteString value, boolean create, boolean replace) {
        return inner.setXattr(caller, inode, name, value, create, replace);
    }

    @Override
    public CompletableFuture<List<ByteString>> listXattrs(Credentials caller, long inode) {
        return inner.listXattrs(caller, inode);
    }

    @Override
    public CompletableFuture<Void> removeXattr(Credentials caller, long inode, ByteString name) {
        return inner.removeXattr(caller, inode, name);
    }
}
