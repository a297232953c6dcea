package org.beefs.honeybee.fuse;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.FileSystemSpace;
import org.beefs.common.wire.FoundLock;
import org.beefs.honeybee.filesystem.AttributeChange;
import org.beefs.honeybee.filesystem.Entry;
import org.beefs.honeybee.filesystem.FileLock;
import org.beefs.honeybee.filesystem.FileSystem;

/**
 * A small POSIX file system in memory, for testing drivers and as a reference. Operations run on the given executor,
 * one at a time. Thread-safe.
 */
public class MemoryFileSystem extends MemoryTree implements FileSystem {
    private final Executor executor;
    private final Map<Long, MemoryInode> handles = new HashMap<>();
    private long lastHandle;

    public MemoryFileSystem(Executor executor) {
        this.executor = executor;
    }

    public synchronized int inodeCount() {
        return size();
    }

    synchronized int openHandles() {
        return handles.size();
    }

    synchronized long inodeOf(long handle) {
        return opened(handle).number;
    }

    @Override
    public OptionalInt backingFile(long handle, boolean required) {
        return OptionalInt.empty();
    }

    @Override
    public CompletableFuture<Attributes> lookup(Credentials caller, long directory, ByteString name) {
        return run(() -> {
            MemoryInode parent = directory(directory);
            require(parent.allows(caller, 1), Errno.EACCES);
            return child(parent, name).attributes();
        });
    }

    @Override
    public CompletableFuture<Attributes> getAttributes(long inode) {
        return run(() -> inode(inode).attributes());
    }

    @Override
    public CompletableFuture<Attributes> setAttributes(Credentials caller, long number, AttributeChange change) {
        return run(() -> {
            MemoryInode inode = inode(number);
            boolean owner = caller.getUid() == 0 || caller.getUid() == inode.uid;
            Instant now = Instant.now();
            if (change.mode() != null) {
                require(owner, Errno.EPERM);
                inode.mode = (inode.mode & FileMode.TYPE_MASK) | change.mode();
            }
            if (change.uid() != null) {
                require(caller.getUid() == 0 || (owner && change.uid() == inode.uid), Errno.EPERM);
                inode.uid = change.uid();
            }
            if (change.gid() != null) {
                require(owner, Errno.EPERM);
                inode.gid = change.gid();
            }
            if (change.size() != null) {
                require(change.handle() != null || inode.allows(caller, 2), Errno.EACCES);
                inode.resize(size(change.size()));
                inode.mtime = now;
            }
            inode.atime = time(change.atime(), inode.atime, now);
            inode.mtime = time(change.mtime(), inode.mtime, now);
            if (change.clearPrivileges()) {
                clearPrivileges(inode);
            }
            inode.ctime = now;
            return inode.attributes();
        });
    }

    @Override
    public CompletableFuture<Void> checkAccess(Credentials caller, long inode, int mask) {
        return perform(() -> require(inode(inode).allows(caller, mask), Errno.EACCES));
    }

    @Override
    public CompletableFuture<ByteString> readSymbolicLink(Credentials caller, long inode) {
        return run(() -> inode(inode).target);
    }

    @Override
    public CompletableFuture<Attributes> makeNode(
            Credentials caller, long directory, ByteString name, int mode, int umask, int device) {
        return run(() -> {
            MemoryInode inode = add(caller, directory, name, mode & ~umask);
            inode.device = device;
            return inode.attributes();
        });
    }

    @Override
    public CompletableFuture<Attributes> makeDirectory(
            Credentials caller, long directory, ByteString name, int mode, int umask) {
        return run(() -> {
            MemoryInode inode =
                    add(caller, directory, name, FileMode.DIRECTORY | (mode & ~umask & FileMode.PERMISSIONS));
            inode.parent = directory;
            inode(directory).links++;
            return inode.attributes();
        });
    }

    @Override
    public CompletableFuture<Attributes> makeSymbolicLink(
            Credentials caller, long directory, ByteString name, ByteString target) {
        return run(() -> {
            MemoryInode inode = add(caller, directory, name, FileMode.SYMBOLIC_LINK | 0777);
            inode.target = target;
            return inode.attributes();
        });
    }

    @Override
    public CompletableFuture<Attributes> link(Credentials caller, long number, long directory, ByteString name) {
        return run(() -> {
            MemoryInode inode = inode(number);
            MemoryInode parent = writable(caller, directory);
            require(!inode.isDirectory(), Errno.EPERM);
            require(!parent.children.containsKey(name), Errno.EEXIST);
            put(parent, name, number);
            inode.links++;
            inode.ctime = Instant.now();
            return inode.attributes();
        });
    }

    @Override
    public CompletableFuture<Void> unlink(Credentials caller, long directory, ByteString name) {
        return perform(() -> {
            MemoryInode parent = writable(caller, directory);
            MemoryInode inode = child(parent, name);
            require(!inode.isDirectory(), Errno.EISDIR);
            remove(parent, name);
            drop(inode);
        });
    }

    @Override
    public CompletableFuture<Void> removeDirectory(Credentials caller, long directory, ByteString name) {
        return perform(() -> {
            MemoryInode parent = writable(caller, directory);
            MemoryInode inode = child(parent, name);
            require(inode.isDirectory(), Errno.ENOTDIR);
            require(inode.children.isEmpty(), Errno.ENOTEMPTY);
            remove(parent, name);
            parent.links--;
            forget(inode);
        });
    }

    @Override
    public CompletableFuture<Void> rename(
            Credentials caller,
            long oldDirectory,
            ByteString oldName,
            long newDirectory,
            ByteString newName,
            RenameMode mode) {
        return perform(() -> {
            MemoryInode from = writable(caller, oldDirectory);
            MemoryInode to = writable(caller, newDirectory);
            MemoryInode moved = child(from, oldName);
            MemoryInode present = to.children.containsKey(newName) ? child(to, newName) : null;
            require(!moved.isDirectory() || !isWithin(to, moved), Errno.EINVAL);
            require(mode != RenameMode.NO_REPLACE || present == null, Errno.EEXIST);
            if (mode == RenameMode.EXCHANGE) {
                MemoryInode exchanged = present(present, Errno.ENOENT);
                remove(from, oldName);
                remove(to, newName);
                place(from, oldName, exchanged, to);
                place(to, newName, moved, from);
            } else if (present != moved) {
                replace(to, newName, moved, present);
                remove(from, oldName);
                place(to, newName, moved, from);
            }
        });
    }

    @Override
    public CompletableFuture<OpenedFile> create(
            Credentials caller, long directory, ByteString name, int mode, int umask, OpenFlags flags) {
        return run(() -> {
            MemoryInode parent = directory(directory);
            if (parent.children.containsKey(name)) {
                require(!flags.exclusive(), Errno.EEXIST);
                return opened(caller, child(parent, name), flags);
            }
            MemoryInode inode = add(caller, directory, name, FileMode.REGULAR | (mode & ~umask & FileMode.PERMISSIONS));
            return new OpenedFile(inode.attributes(), handle(inode), false, true);
        });
    }

    @Override
    public CompletableFuture<OpenedFile> createUnnamed(
            Credentials caller, long directory, int mode, int umask, OpenFlags flags) {
        return CompletableFuture.failedFuture(new PosixException(Errno.EOPNOTSUPP, "every file has a name here"));
    }

    @Override
    public CompletableFuture<OpenedFile> open(Credentials caller, long inode, OpenFlags flags) {
        return run(() -> opened(caller, inode(inode), flags));
    }

    @Override
    public CompletableFuture<Payload.Bytes> read(long handle, long offset, int length) {
        return run(() -> new Payload.Bytes(Unpooled.directBuffer(Math.max(1, length))
                .writeBytes(opened(handle).read(offset, length))));
    }

    @Override
    public CompletableFuture<Void> write(
            long handle, long offset, ByteBuf content, boolean append, boolean clearPrivileges) {
        return perform(() -> {
            MemoryInode inode = opened(handle);
            byte[] bytes = new byte[content.readableBytes()];
            content.getBytes(content.readerIndex(), bytes);
            int start = append ? inode.size() : size(offset);
            size(start + (long) bytes.length);
            inode.write(start, bytes);
            inode.changed(Instant.now());
            if (clearPrivileges) {
                clearPrivileges(inode);
            }
        });
    }

    @Override
    public CompletableFuture<Void> writePages(long handle, long offset, ByteBuf content, boolean clearPrivileges) {
        return write(handle, offset, content, false, clearPrivileges);
    }

    @Override
    public CompletableFuture<Void> sync(long handle, boolean dataOnly) {
        return perform(() -> opened(handle));
    }

    @Override
    public CompletableFuture<Void> allocate(long handle, int mode, long offset, long length, boolean clearPrivileges) {
        return perform(() -> {
            MemoryInode inode = opened(handle);
            int end = size(offset + length);
            switch (mode) {
                case 0 -> inode.resize(Math.max(inode.size(), end));
                case 1 -> {}
                case 3 -> inode.clear((int) offset, end);
                default -> throw new PosixException(Errno.EOPNOTSUPP, "mode of fallocate");
            }
            inode.changed(Instant.now());
        });
    }

    @Override
    public CompletableFuture<Long> copy(
            long source, long from, long target, long to, long length, boolean clearPrivileges) {
        return CompletableFuture.failedFuture(new PosixException(Errno.EXDEV, "all files lie apart here"));
    }

    @Override
    public CompletableFuture<Long> seek(long handle, long offset, boolean hole) {
        return run(() -> {
            MemoryInode inode = opened(handle);
            require(offset < inode.size(), Errno.ENXIO);
            return hole ? (long) inode.size() : offset;
        });
    }

    /** Locks are not what this is a reference for. */
    @Override
    public CompletableFuture<Optional<FoundLock>> findLock(long inode, FileLock wanted) {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    @Override
    public CompletableFuture<Void> setLock(
            long handle, long inode, FileLock lock, CompletableFuture<Void> interrupted) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public boolean wantsFlush(long handle) {
        return false;
    }

    @Override
    public CompletableFuture<Void> flush(long handle, long inode, long lockOwner) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> release(long handle) {
        return perform(() -> {
            MemoryInode inode = opened(handle);
            handles.remove(handle);
            inode.opens--;
            forgetUnused(inode);
        });
    }

    @Override
    public CompletableFuture<Void> openDirectory(Credentials caller, long directory) {
        return perform(() -> require(directory(directory).allows(caller, 4), Errno.EACCES));
    }

    @Override
    public CompletableFuture<Listing> listDirectory(long number, long after, int limit, boolean withAttributes) {
        return run(() -> {
            MemoryInode directory = directory(number);
            List<Entry> entries = new ArrayList<>();
            for (Map.Entry<Long, ByteString> entry :
                    directory.order.tailMap(after, false).entrySet()) {
                if (entries.size() == limit) {
                    return new Listing(entries, false, directory.parent, nextCookie());
                }
                Attributes attributes = child(directory, entry.getValue()).attributes();
                entries.add(new Entry(
                        entry.getValue(),
                        attributes.getInode(),
                        attributes.getMode() & FileMode.TYPE_MASK,
                        entry.getKey(),
                        withAttributes ? attributes : null));
            }
            return new Listing(entries, true, directory.parent, nextCookie());
        });
    }

    @Override
    public CompletableFuture<Void> syncDirectory(long directory) {
        return perform(() -> directory(directory));
    }

    @Override
    public CompletableFuture<FileSystemSpace> space() {
        return run(() -> FileSystemSpace.newBuilder()
                .setCapacity(1L << 40)
                .setAvailable(1L << 39)
                .setInodes(1_000_000)
                .setInodesAvailable(1_000_000 - size())
                .build());
    }

    @Override
    public CompletableFuture<Void> clearPrivileges(long inode) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<ByteString> getXattr(Credentials caller, long inode, ByteString name) {
        return run(() -> {
            return present(inode(inode).xattrs.get(name), Errno.ENODATA);
        });
    }

    @Override
    public CompletableFuture<Void> setXattr(
            Credentials caller, long inode, ByteString name, ByteString value, boolean create, boolean replace) {
        return perform(() -> {
            Map<ByteString, ByteString> xattrs = inode(inode).xattrs;
            require(!create || !xattrs.containsKey(name), Errno.EEXIST);
            require(!replace || xattrs.containsKey(name), Errno.ENODATA);
            xattrs.put(name, value);
        });
    }

    @Override
    public CompletableFuture<List<ByteString>> listXattrs(Credentials caller, long inode) {
        return run(() -> List.copyOf(inode(inode).xattrs.keySet()));
    }

    @Override
    public CompletableFuture<Void> removeXattr(Credentials caller, long inode, ByteString name) {
        return perform(() -> require(inode(inode).xattrs.remove(name) != null, Errno.ENODATA));
    }

    private OpenedFile opened(Credentials caller, MemoryInode inode, OpenFlags flags) {
        require(!inode.isDirectory() || !flags.write(), Errno.EISDIR);
        require(!flags.execute() || inode.allows(caller, 1), Errno.EACCES);
        require(flags.execute() || !flags.read() || inode.allows(caller, 4), Errno.EACCES);
        require(!flags.write() || inode.allows(caller, 2), Errno.EACCES);
        if (flags.truncate()) {
            inode.resize(0);
            inode.changed(Instant.now());
        }
        return new OpenedFile(inode.attributes(), handle(inode), false, false);
    }

    private long handle(MemoryInode inode) {
        inode.opens++;
        handles.put(++lastHandle, inode);
        return lastHandle;
    }

    private MemoryInode opened(long handle) {
        return present(handles.get(handle), Errno.EBADF);
    }

    private CompletableFuture<Void> perform(Runnable operation) {
        return run(() -> {
                    operation.run();
                    return operation;
                })
                .thenApply(done -> null);
    }

    private <T> CompletableFuture<T> run(Operation<T> operation) {
        CompletableFuture<T> result = new CompletableFuture<>();
        executor.execute(() -> {
            try {
                T value;
                synchronized (this) {
                    value = operation.run();
                }
                result.complete(value);
            } catch (Throwable failure) {
                result.completeExceptionally(failure);
            }
        });
        return result;
    }

    private interface Operation<T> {
        T run();
    }
}
