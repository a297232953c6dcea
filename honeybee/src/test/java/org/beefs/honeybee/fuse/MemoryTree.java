package org.beefs.honeybee.fuse;

import com.google.protobuf.ByteString;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Credentials;
import org.beefs.honeybee.filesystem.AttributeChange.TimeChange;
import org.beefs.honeybee.filesystem.FileSystem;
import org.jspecify.annotations.Nullable;

/**
 * The inodes and entries of {@link MemoryFileSystem}, and the checks that several operations share. Not thread-safe.
 */
class MemoryTree {
    private static final int MAX_SIZE = 1 << 30;

    private final Map<Long, MemoryInode> inodes = new HashMap<>();
    private long lastInode = FileSystem.ROOT;
    private long lastCookie = 2;

    MemoryTree() {
        MemoryInode root = new MemoryInode(
                FileSystem.ROOT, FileMode.DIRECTORY | 0755, Credentials.getDefaultInstance(), Instant.now());
        root.parent = FileSystem.ROOT;
        inodes.put(FileSystem.ROOT, root);
    }

    final int size() {
        return inodes.size();
    }

    final void forget(MemoryInode inode) {
        inodes.remove(inode.number);
    }

    final MemoryInode add(Credentials caller, long directory, ByteString name, int mode) {
        MemoryInode parent = writable(caller, directory);
        require(!parent.children.containsKey(name), Errno.EEXIST);
        MemoryInode inode = new MemoryInode(++lastInode, mode, caller, Instant.now());
        inodes.put(inode.number, inode);
        put(parent, name, inode.number);
        return inode;
    }

    final void put(MemoryInode parent, ByteString name, long inode) {
        long cookie = ++lastCookie;
        parent.children.put(name, new MemoryInode.Child(inode, cookie));
        parent.order.put(cookie, name);
        parent.changed(Instant.now());
    }

    /** The cookie of the next entry, wherever it is made. */
    final long nextCookie() {
        return lastCookie + 1;
    }

    final void remove(MemoryInode parent, ByteString name) {
        MemoryInode.Child child = present(parent.children.remove(name), Errno.ENOENT);
        parent.order.remove(child.cookie());
        parent.changed(Instant.now());
    }

    final void place(MemoryInode directory, ByteString name, MemoryInode moved, MemoryInode from) {
        put(directory, name, moved.number);
        moved.ctime = Instant.now();
        if (moved.isDirectory()) {
            moved.parent = directory.number;
            from.links--;
            directory.links++;
        }
    }

    final void replace(MemoryInode directory, ByteString name, MemoryInode moved, @Nullable MemoryInode present) {
        if (present == null) {
            return;
        }
        require(!moved.isDirectory() || present.isDirectory(), Errno.ENOTDIR);
        require(moved.isDirectory() || !present.isDirectory(), Errno.EISDIR);
        require(present.children.isEmpty(), Errno.ENOTEMPTY);
        remove(directory, name);
        if (present.isDirectory()) {
            directory.links--;
            inodes.remove(present.number);
        } else {
            drop(present);
        }
    }

    final void drop(MemoryInode inode) {
        inode.links--;
        inode.ctime = Instant.now();
        forgetUnused(inode);
    }

    final void forgetUnused(MemoryInode inode) {
        if (inode.links == 0 && inode.opens == 0) {
            inodes.remove(inode.number);
        }
    }

    final boolean isWithin(MemoryInode directory, MemoryInode ancestor) {
        Set<Long> seen = new TreeSet<>();
        for (MemoryInode at = directory; seen.add(at.number); at = inode(at.parent)) {
            if (at == ancestor) {
                return true;
            }
        }
        return false;
    }

    final MemoryInode inode(long number) {
        return present(inodes.get(number), Errno.ESTALE);
    }

    final MemoryInode directory(long number) {
        MemoryInode inode = inode(number);
        require(inode.isDirectory(), Errno.ENOTDIR);
        return inode;
    }

    final MemoryInode writable(Credentials caller, long number) {
        MemoryInode directory = directory(number);
        require(directory.allows(caller, 3), Errno.EACCES);
        return directory;
    }

    final MemoryInode child(MemoryInode directory, ByteString name) {
        return inode(present(directory.children.get(name), Errno.ENOENT).inode());
    }

    static void clearPrivileges(MemoryInode inode) {
        inode.mode &= ~FileMode.SET_UID;
        if ((inode.mode & 0010) != 0) {
            inode.mode &= ~FileMode.SET_GID;
        }
    }

    static Instant time(@Nullable TimeChange change, Instant present, Instant now) {
        return switch (change) {
            case null -> present;
            case TimeChange.At(Instant time) -> time;
            case TimeChange.Now(Instant time) -> time == null ? now : time;
        };
    }

    static int size(long size) {
        require(size <= MAX_SIZE, Errno.EFBIG);
        return (int) size;
    }

    static void require(boolean condition, Errno otherwise) {
        if (!condition) {
            throw new PosixException(otherwise, otherwise.name());
        }
    }

    static <T> T present(@Nullable T value, Errno otherwise) {
        if (value == null) {
            throw new PosixException(otherwise, otherwise.name());
        }
        return value;
    }
}
