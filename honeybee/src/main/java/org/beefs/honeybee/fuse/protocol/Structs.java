package org.beefs.honeybee.fuse.protocol;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import org.beefs.common.posix.FileName;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.FileSystemSpace;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeybee.mount.TransferSize;

/** Writes the kernel's {@code struct fuse_…_out} that carry attributes. Every byte of a struct is set. */
public final class Structs {
    /** Lengths in bytes. */
    static final int ENTRY = 128;

    static final int ATTRIBUTES = 104;
    static final int STATX = 288;
    static final int SPACE = 80;
    static final int OPEN = 16;
    static final int LOCK = 24;

    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final int STATX_BASIC_AND_BTIME = 0xfff;

    private Structs() {}

    /** An entry; the kernel may remember it, and the attributes, for so many nanoseconds. */
    static void entry(
            MemorySegment memory, long at, Attributes attributes, long entryLifetime, long attributesLifetime) {
        memory.set(JAVA_LONG_UNALIGNED, at, attributes.getInode());
        memory.set(JAVA_LONG_UNALIGNED, at + 8, 0);
        lifetime(memory, at + 16, at + 32, entryLifetime);
        lifetime(memory, at + 24, at + 36, attributesLifetime);
        attributes(memory, at + 40, attributes);
    }

    /** An entry that there is not; the kernel may remember that for so many nanoseconds. */
    static void absent(MemorySegment memory, long at, long lifetime) {
        memory.asSlice(at, ENTRY).fill((byte) 0);
        lifetime(memory, at + 16, at + 32, lifetime);
    }

    /** Attributes that the kernel may remember for so many nanoseconds. */
    static void getattr(MemorySegment memory, long at, Attributes attributes, long lifetime) {
        lifetime(memory, at, at + 8, lifetime);
        memory.set(JAVA_INT_UNALIGNED, at + 12, 0);
        attributes(memory, at + 16, attributes);
    }

    static void statx(MemorySegment memory, long start, Attributes attributes, long lifetime) {
        memory.asSlice(start, STATX).fill((byte) 0);
        lifetime(memory, start, start + 8, lifetime);
        long at = start + 32;
        memory.set(JAVA_INT_UNALIGNED, at, STATX_BASIC_AND_BTIME);
        memory.set(JAVA_INT_UNALIGNED, at + 4, TransferSize.of(attributes));
        memory.set(JAVA_INT_UNALIGNED, at + 16, attributes.getLinks());
        memory.set(JAVA_INT_UNALIGNED, at + 20, attributes.getUid());
        memory.set(JAVA_INT_UNALIGNED, at + 24, attributes.getGid());
        memory.set(JAVA_SHORT_UNALIGNED, at + 28, (short) attributes.getMode());
        memory.set(JAVA_LONG_UNALIGNED, at + 32, attributes.getInode());
        memory.set(JAVA_LONG_UNALIGNED, at + 40, attributes.getSize());
        memory.set(JAVA_LONG_UNALIGNED, at + 48, attributes.getBlocks());
        statxTime(memory, at + 64, attributes.getAtime());
        statxTime(memory, at + 80, attributes.getBtime());
        statxTime(memory, at + 96, attributes.getCtime());
        statxTime(memory, at + 112, attributes.getMtime());
        int device = attributes.getDevice();
        memory.set(JAVA_INT_UNALIGNED, at + 128, (device & 0xfff00) >>> 8);
        memory.set(JAVA_INT_UNALIGNED, at + 132, (device & 0xff) | ((device >>> 12) & 0xfff00));
    }

    /** {@code struct fuse_kstatfs}; all counts in blocks of 4096 bytes. */
    static void space(MemorySegment memory, long at, FileSystemSpace space) {
        memory.asSlice(at, SPACE).fill((byte) 0);
        memory.set(JAVA_LONG_UNALIGNED, at, space.getCapacity() / 4096);
        memory.set(JAVA_LONG_UNALIGNED, at + 8, space.getAvailable() / 4096);
        memory.set(JAVA_LONG_UNALIGNED, at + 16, space.getAvailable() / 4096);
        memory.set(JAVA_LONG_UNALIGNED, at + 24, space.getInodes());
        memory.set(JAVA_LONG_UNALIGNED, at + 32, space.getInodesAvailable());
        memory.set(JAVA_INT_UNALIGNED, at + 40, 4096);
        memory.set(JAVA_INT_UNALIGNED, at + 44, FileName.LONGEST);
        memory.set(JAVA_INT_UNALIGNED, at + 48, 4096);
    }

    static void open(MemorySegment memory, long at, long handle, int flags, int backing) {
        memory.set(JAVA_LONG_UNALIGNED, at, handle);
        memory.set(JAVA_INT_UNALIGNED, at + 8, flags);
        memory.set(JAVA_INT_UNALIGNED, at + 12, backing);
    }

    /** {@code struct fuse_file_lock}. */
    static void lock(MemorySegment memory, long at, long start, long end, int type, int pid) {
        memory.set(JAVA_LONG_UNALIGNED, at, start);
        memory.set(JAVA_LONG_UNALIGNED, at + 8, end);
        memory.set(JAVA_INT_UNALIGNED, at + 16, type);
        memory.set(JAVA_INT_UNALIGNED, at + 20, pid);
    }

    /** {@code struct fuse_attr}, 88 bytes. */
    private static void attributes(MemorySegment memory, long at, Attributes attributes) {
        memory.set(JAVA_LONG_UNALIGNED, at, attributes.getInode());
        memory.set(JAVA_LONG_UNALIGNED, at + 8, attributes.getSize());
        memory.set(JAVA_LONG_UNALIGNED, at + 16, attributes.getBlocks());
        memory.set(JAVA_LONG_UNALIGNED, at + 24, attributes.getAtime().getSeconds());
        memory.set(JAVA_LONG_UNALIGNED, at + 32, attributes.getMtime().getSeconds());
        memory.set(JAVA_LONG_UNALIGNED, at + 40, attributes.getCtime().getSeconds());
        memory.set(JAVA_INT_UNALIGNED, at + 48, attributes.getAtime().getNanos());
        memory.set(JAVA_INT_UNALIGNED, at + 52, attributes.getMtime().getNanos());
        memory.set(JAVA_INT_UNALIGNED, at + 56, attributes.getCtime().getNanos());
        memory.set(JAVA_INT_UNALIGNED, at + 60, attributes.getMode());
        memory.set(JAVA_INT_UNALIGNED, at + 64, attributes.getLinks());
        memory.set(JAVA_INT_UNALIGNED, at + 68, attributes.getUid());
        memory.set(JAVA_INT_UNALIGNED, at + 72, attributes.getGid());
        memory.set(JAVA_INT_UNALIGNED, at + 76, attributes.getDevice());
        memory.set(JAVA_INT_UNALIGNED, at + 80, TransferSize.of(attributes));
        memory.set(JAVA_INT_UNALIGNED, at + 84, 0);
    }

    private static void lifetime(MemorySegment memory, long seconds, long nanos, long lifetime) {
        memory.set(JAVA_LONG_UNALIGNED, seconds, lifetime / NANOS_PER_SECOND);
        memory.set(JAVA_INT_UNALIGNED, nanos, (int) (lifetime % NANOS_PER_SECOND));
    }

    private static void statxTime(MemorySegment memory, long at, Timestamp time) {
        memory.set(JAVA_LONG_UNALIGNED, at, time.getSeconds());
        memory.set(JAVA_INT_UNALIGNED, at + 8, time.getNanos());
    }
}
