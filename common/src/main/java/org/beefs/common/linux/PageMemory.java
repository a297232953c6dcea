package org.beefs.common.linux;

import static java.lang.ref.Reference.reachabilityFence;
import static org.beefs.common.linux.CFunction.at;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Anonymous memory in whole pages, which takes up real memory only where it was written. Stateless and thread-safe. */
public final class PageMemory {
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_SHARED = 0x01;
    private static final int MAP_PRIVATE = 0x02;
    private static final int MAP_ANONYMOUS = 0x20;
    private static final int MAP_NORESERVE = 0x4000;
    private static final int MAP_POPULATE = 0x8000;
    private static final int MADV_DONTNEED = 4;

    private static final CFunction MMAP = CFunction.of("mmap");
    private static final CFunction MUNMAP = CFunction.of("munmap");
    private static final CFunction MADVISE = CFunction.of("madvise");
    private static final CFunction GETPAGESIZE = CFunction.of("getpagesize");

    /** Length of this machine's pages: 4 KiB on x86-64, 4 to 64 KiB on AArch64. */
    public static final int PAGE = GETPAGESIZE.callInt(0);

    private PageMemory() {}

    /** Zeroed memory that goes when nothing refers to the segment, its slices and their buffers any more. */
    public static MemorySegment allocate(long bytes) {
        return map(bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0, Arena.ofAuto());
    }

    /** Memory that the kernel shares through a descriptor, for as long as the arena lives. */
    static MemorySegment share(int descriptor, long offset, long bytes, Arena arena) {
        return map(bytes, MAP_SHARED | MAP_POPULATE, descriptor, offset, arena);
    }

    private static MemorySegment map(long bytes, int flags, int descriptor, long offset, Arena arena) {
        long address = MMAP.call(0, bytes, PROT_READ_WRITE, flags, descriptor, offset);
        if (address < 0) {
            throw new OutOfMemoryError("the system does not map " + bytes + " bytes");
        }
        return MemorySegment.ofAddress(address).reinterpret(bytes, arena, PageMemory::unmap);
    }

    /**
     * Gives pages back to the system; they read as zeros afterwards. Pages that are only partly in the segment stay as
     * they are.
     */
    public static void discard(MemorySegment memory) {
        long start = (at(memory) + PAGE - 1) & -PAGE;
        long end = (at(memory) + memory.byteSize()) & -PAGE;
        try {
            if (start < end) {
                MADVISE.callInt(start, end - start, MADV_DONTNEED);
            }
        } finally {
            reachabilityFence(memory);
        }
    }

    private static void unmap(MemorySegment mapping) {
        MUNMAP.callInt(at(mapping), mapping.byteSize(), 0);
    }
}
