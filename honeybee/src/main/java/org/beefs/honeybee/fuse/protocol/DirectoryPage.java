package org.beefs.honeybee.fuse.protocol;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import com.google.protobuf.ByteString;
import java.lang.foreign.MemorySegment;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.FileName;
import org.beefs.common.wire.Attributes;
import org.beefs.honeybee.filesystem.Entry;

/** Packs entries as {@code struct fuse_dirent} or {@code struct fuse_direntplus}. Not thread-safe. */
public final class DirectoryPage {
    private static final int HEADER = 24;

    private final MemorySegment memory;
    private final boolean withAttributes;
    private long length;

    /** Packs into zeroed memory, up to its end. */
    public DirectoryPage(MemorySegment memory, boolean withAttributes) {
        this.memory = memory;
        this.withAttributes = withAttributes;
    }

    /** Bytes that an entry with a name of that length takes. */
    public static int entrySize(int nameLength, boolean withAttributes) {
        int size = (HEADER + nameLength + 7) & ~7;
        return withAttributes ? Structs.ENTRY + size : size;
    }

    public MemorySegment memory() {
        return memory;
    }

    /** Bytes packed so far. */
    public long length() {
        return length;
    }

    public boolean addSelf(long inode, long cookie) {
        return add(FileName.DOT, inode, FileMode.DIRECTORY, cookie);
    }

    public boolean addParent(long inode, long cookie) {
        return add(FileName.DOT_DOT, inode, FileMode.DIRECTORY, cookie);
    }

    /**
     * An entry without attributes in a page with them has node id 0: the kernel lists it, and looks it up when asked.
     * Lifetimes in nanoseconds. False when there was no room for it.
     */
    public boolean add(Entry entry, long entryLifetime, long attributesLifetime) {
        long at = length;
        Attributes attributes = entry.attributes();
        boolean added = add(entry.name(), entry.inode(), entry.type(), entry.cookie());
        if (added && withAttributes && attributes != null) {
            Structs.entry(memory, at, attributes, entryLifetime, attributesLifetime);
        }
        return added;
    }

    private boolean add(ByteString name, long inode, int type, long cookie) {
        int size = entrySize(name.size(), withAttributes);
        if (length + size > memory.byteSize()) {
            return false;
        }
        long at = withAttributes ? length + Structs.ENTRY : length;
        memory.set(JAVA_LONG_UNALIGNED, at, inode);
        memory.set(JAVA_LONG_UNALIGNED, at + 8, cookie);
        memory.set(JAVA_INT_UNALIGNED, at + 16, name.size());
        memory.set(JAVA_INT_UNALIGNED, at + 20, (type & FileMode.TYPE_MASK) >>> 12);
        name.copyTo(memory.asSlice(at + HEADER, name.size()).asByteBuffer());
        length += size;
        return true;
    }
}
