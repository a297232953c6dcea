package org.beefs.honeybee.fuse;

import com.google.protobuf.ByteString;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.Timestamps;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;

/** An inode of {@link MemoryFileSystem}, guarded by it. */
final class MemoryInode {
    /** An entry of a directory. */
    record Child(long inode, long cookie) {}

    final long number;
    final Map<ByteString, ByteString> xattrs = new TreeMap<>(ByteString.unsignedLexicographicalComparator());
    final Map<ByteString, Child> children = new HashMap<>();
    final TreeMap<Long, ByteString> order = new TreeMap<>();
    int mode;
    int uid;
    int gid;
    int links;
    int device;
    int opens;
    long parent;
    ByteString target = ByteString.EMPTY;
    Instant atime;
    Instant mtime;
    Instant ctime;
    final Instant btime;

    private byte[] content = new byte[0];
    private int size;

    MemoryInode(long number, int mode, Credentials owner, Instant now) {
        this.number = number;
        this.mode = mode;
        this.uid = owner.getUid();
        this.gid = owner.getGid();
        this.links = FileMode.isDirectory(mode) ? 2 : 1;
        this.atime = now;
        this.mtime = now;
        this.ctime = now;
        this.btime = now;
    }

    boolean isDirectory() {
        return FileMode.isDirectory(mode);
    }

    int size() {
        return size;
    }

    void resize(int newSize) {
        if (newSize > content.length) {
            content = Arrays.copyOf(content, Math.max(newSize, (int) Math.min(1L << 30, 2L * content.length)));
        }
        if (newSize < size) {
            Arrays.fill(content, newSize, size, (byte) 0);
        }
        size = newSize;
    }

    byte[] read(long offset, int length) {
        int start = (int) Math.min(offset, size);
        return Arrays.copyOfRange(content, start, (int) Math.min(size, (long) start + length));
    }

    void write(int offset, byte[] bytes) {
        resize(Math.max(size, offset + bytes.length));
        System.arraycopy(bytes, 0, content, offset, bytes.length);
    }

    void clear(int from, int to) {
        Arrays.fill(content, Math.min(from, size), Math.min(to, size), (byte) 0);
    }

    void changed(Instant now) {
        mtime = now;
        ctime = now;
    }

    Attributes attributes() {
        long length = FileMode.isSymbolicLink(mode) ? target.size() : isDirectory() ? 4096 : size;
        return Attributes.newBuilder()
                .setInode(number)
                .setMode(mode)
                .setLinks(links)
                .setUid(uid)
                .setGid(gid)
                .setSize(length)
                .setBlocks((length + 511) / 512)
                .setAtime(Timestamps.toWire(atime))
                .setMtime(Timestamps.toWire(mtime))
                .setCtime(Timestamps.toWire(ctime))
                .setBtime(Timestamps.toWire(btime))
                .setDevice(device)
                .build();
    }

    /** Whether the caller has all rights of the mask (4 read, 2 write, 1 execute or search). */
    boolean allows(Credentials caller, int mask) {
        if (caller.getUid() == 0) {
            return (mask & 1) == 0 || isDirectory() || (mode & 0111) != 0;
        }
        int bits = mode;
        if (caller.getUid() == uid) {
            bits = mode >> 6;
        } else if (caller.getGid() == gid || caller.getGroupsList().contains(gid)) {
            bits = mode >> 3;
        }
        return (bits & mask) == mask;
    }
}
