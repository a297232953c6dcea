package org.beefs.honeybee.trace;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.FileSystemSpace;
import org.beefs.common.wire.FoundLock;
import org.beefs.honeybee.filesystem.AttributeChange;
import org.beefs.honeybee.filesystem.FileLock;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.ForwardingFileSystem;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file system of which it is known what it is asked. Here a request begins: each operation gets an id, which goes
 * with all that it asks of others. Thread-safe.
 */
public final class TracedFileSystem extends ForwardingFileSystem {
    private static final Logger LOG = LoggerFactory.getLogger(TracedFileSystem.class);

    private final Calls calls;
    private final Handles handles;

    /** Knows what is open. */
    public interface Handles {
        /** The inode that is open under a handle; 0 when none is. */
        long inodeOf(long handle);
    }

    public TracedFileSystem(FileSystem inner, Handles handles, Calls calls) {
        super(inner);
        this.handles = handles;
        this.calls = calls;
    }

    @Override
    public CompletableFuture<Attributes> lookup(Credentials caller, long directory, ByteString name) {
        return traced("lookup", directory, name, () -> super.lookup(caller, directory, name));
    }

    @Override
    public CompletableFuture<Attributes> lookupEntry(Credentials caller, long directory, ByteString name) {
        return traced("lookup", directory, name, () -> super.lookupEntry(caller, directory, name));
    }

    @Override
    public CompletableFuture<Attributes> getAttributes(long inode) {
        return traced("getattr", inode, () -> super.getAttributes(inode));
    }

    @Override
    public CompletableFuture<Attributes> setAttributes(Credentials caller, long inode, AttributeChange change) {
        return traced("setattr", inode, () -> super.setAttributes(caller, inode, change));
    }

    @Override
    public CompletableFuture<Void> checkAccess(Credentials caller, long inode, int mask) {
        return traced("access", inode, () -> super.checkAccess(caller, inode, mask));
    }

    @Override
    public CompletableFuture<ByteString> readSymbolicLink(Credentials caller, long inode) {
        return traced("readlink", inode, () -> super.readSymbolicLink(caller, inode));
    }

    @Override
    public CompletableFuture<Attributes> makeNode(
            Credentials caller, long directory, ByteString name, int mode, int umask, int device) {
        return traced("mknod", directory, name, () -> super.makeNode(caller, directory, name, mode, umask, device));
    }

    @Override
    public CompletableFuture<Attributes> makeDirectory(
            Credentials caller, long directory, ByteString name, int mode, int umask) {
        return traced("mkdir", directory, name, () -> super.makeDirectory(caller, directory, name, mode, umask));
    }

    @Override
    public CompletableFuture<Attributes> makeSymbolicLink(
            Credentials caller, long directory, ByteString name, ByteString target) {
        return traced("symlink", directory, name, () -> super.makeSymbolicLink(caller, directory, name, target));
    }

    @Override
    public CompletableFuture<Attributes> link(Credentials caller, long inode, long directory, ByteString name) {
        return traced("link", directory, name, () -> super.link(caller, inode, directory, name));
    }

    @Override
    public CompletableFuture<Void> unlink(Credentials caller, long directory, ByteString name) {
        return traced("unlink", directory, name, () -> super.unlink(caller, directory, name));
    }

    @Override
    public CompletableFuture<Void> removeDirectory(Credentials caller, long directory, ByteString name) {
        return traced("rmdir", directory, name, () -> super.removeDirectory(caller, directory, name));
    }

    @Override
    public CompletableFuture<Void> rename(
            Credentials caller,
            long oldDirectory,
            ByteString oldName,
            long newDirectory,
            ByteString newName,
            RenameMode mode) {
        return traced(
                "rename",
                oldDirectory,
                oldName,
                () -> super.rename(caller, oldDirectory, oldName, newDirectory, newName, mode));
    }

    @Override
    public CompletableFuture<OpenedFile> create(
            Credentials caller, long directory, ByteString name, int mode, int umask, OpenFlags flags) {
        return traced("create", directory, name, () -> super.create(caller, directory, name, mode, umask, flags));
    }

    @Override
    public CompletableFuture<OpenedFile> createUnnamed(
            Credentials caller, long directory, int mode, int umask, OpenFlags flags) {
        return traced("tmpfile", directory, () -> super.createUnnamed(caller, directory, mode, umask, flags));
    }

    @Override
    public CompletableFuture<OpenedFile> open(Credentials caller, long inode, OpenFlags flags) {
        return traced("open", inode, () -> super.open(caller, inode, flags));
    }

    @Override
    public CompletableFuture<Payload.Bytes> read(long handle, long offset, int length) {
        return traced("read", inodeOf(handle), () -> super.read(handle, offset, length));
    }

    @Override
    public CompletableFuture<Void> write(
            long handle, long offset, ByteBuf content, boolean append, boolean clearPrivileges) {
        return traced("write", inodeOf(handle), () -> super.write(handle, offset, content, append, clearPrivileges));
    }

    @Override
    public CompletableFuture<Void> writePages(long handle, long offset, ByteBuf content, boolean clearPrivileges) {
        return traced("write", inodeOf(handle), () -> super.writePages(handle, offset, content, clearPrivileges));
    }

    @Override
    public CompletableFuture<Void> sync(long handle, boolean dataOnly) {
        return traced("fsync", inodeOf(handle), () -> super.sync(handle, dataOnly));
    }

    @Override
    public CompletableFuture<Void> allocate(long handle, int mode, long offset, long length, boolean clearPrivileges) {
        return traced(
                "fallocate", inodeOf(handle), () -> super.allocate(handle, mode, offset, length, clearPrivileges));
    }

    @Override
    public CompletableFuture<Long> copy(
            long source, long from, long target, long to, long length, boolean clearPrivileges) {
        return traced(
                "copy_file_range",
                inodeOf(target),
                () -> super.copy(source, from, target, to, length, clearPrivileges));
    }

    @Override
    public CompletableFuture<Long> seek(long handle, long offset, boolean hole) {
        return traced("lseek", inodeOf(handle), () -> super.seek(handle, offset, hole));
    }

    @Override
    public CompletableFuture<Optional<FoundLock>> findLock(long inode, FileLock wanted) {
        return traced("getlk", inode, () -> super.findLock(inode, wanted));
    }

    @Override
    public CompletableFuture<Void> setLock(
            long handle, long inode, FileLock lock, CompletableFuture<Void> interrupted) {
        return traced("setlk", inode, () -> super.setLock(handle, inode, lock, interrupted));
    }

    @Override
    public CompletableFuture<Void> flush(long handle, long inode, long lockOwner) {
        return traced("flush", inode, () -> super.flush(handle, inode, lockOwner));
    }

    @Override
    public CompletableFuture<Void> release(long handle) {
        return traced("release", inodeOf(handle), () -> super.release(handle));
    }

    @Override
    public CompletableFuture<Void> openDirectory(Credentials caller, long directory) {
        return traced("opendir", directory, () -> super.openDirectory(caller, directory));
    }

    @Override
    public CompletableFuture<Listing> listDirectory(long directory, long after, int limit, boolean withAttributes) {
        return traced("readdir", directory, () -> super.listDirectory(directory, after, limit, withAttributes));
    }

    @Override
    public CompletableFuture<Void> syncDirectory(long directory) {
        return traced("fsyncdir", directory, () -> super.syncDirectory(directory));
    }

    @Override
    public CompletableFuture<FileSystemSpace> space() {
        return traced("statfs", ROOT, () -> super.space());
    }

    @Override
    public CompletableFuture<Void> clearPrivileges(long inode) {
        return traced("clear_privileges", inode, () -> super.clearPrivileges(inode));
    }

    @Override
    public CompletableFuture<ByteString> getXattr(Credentials caller, long inode, ByteString name) {
        return traced("getxattr", inode, () -> super.getXattr(caller, inode, name));
    }

    @Override
    public CompletableFuture<Void> setXattr(
            Credentials caller, long inode, ByteString name, ByteString value, boolean create, boolean replace) {
        return traced("setxattr", inode, () -> super.setXattr(caller, inode, name, value, create, replace));
    }

    @Override
    public CompletableFuture<List<ByteString>> listXattrs(Credentials caller, long inode) {
        return traced("listxattr", inode, () -> super.listXattrs(caller, inode));
    }

    @Override
    public CompletableFuture<Void> removeXattr(Credentials caller, long inode, ByteString name) {
        return traced("removexattr", inode, () -> super.removeXattr(caller, inode, name));
    }

    private long inodeOf(long handle) {
        return handles.inodeOf(handle);
    }

    private <T> CompletableFuture<T> traced(String operation, long inode, Supplier<CompletableFuture<T>> work) {
        return traced(operation, inode, null, work);
    }

    private <T> CompletableFuture<T> traced(
            String operation, long inode, @Nullable ByteString name, Supplier<CompletableFuture<T>> work) {
        Call call = calls.begin(operation, inode, name);
        long before = CurrentRequest.enter(call.id());
        try {
            if (LOG.isDebugEnabled()) {
                LOG.debug("{} of inode {} for thread {}", operation, inode, call.thread());
            }
            CompletableFuture<T> result = work.get();
            calls.follow(call, result);
            return result;
        } catch (RuntimeException | Error e) {
            calls.failed(call, e);
            throw e;
        } finally {
            CurrentRequest.leave(before);
        }
    }
}
