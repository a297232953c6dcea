package org.beefs.common.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Anonymous memory in whole pages, which takes up real memory only where it was written. Stateless and thread-safe.
 */
public final class PageMemory {
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_SHARED = 0x01;
    private static final int MAP_PRIVATE = 0x02;
    private static final int MAP_ANONYMOUS = 0x20;
    private static final int MAP_NORESERVE = 0x4000;
    private static final int MAP_POPULATE = 0x8000;
    private static final int MADV_DONTNEED = 4;
    private static final long MAP_FAILED = -1;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle MMAP =
            bind("mmap", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle MUNMAP = bind("munmap", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle MADVISE =
            bind("madvise", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));

    private PageMemory() {}

    /** Zeroed memory that goes when nothing refers to the segment, its slices and their buffers any more. */
    public static MemorySegment allocate(long bytes) {
        return map(bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0, Arena.ofAuto());
    }

    /** What the kernel shares through a descriptor, for as long as the arena lives. */
    static MemorySegment share(int descriptor, long offset, long bytes, Arena arena) {
        return map(bytes, MAP_SHARED | MAP_POPULATE, descriptor, offset, arena);
    }

    private static MemorySegment map(long bytes, int flags, int descriptor, long offset, Arena arena) {
        MemorySegment mapping;
        try {
            mapping = (MemorySegment)
                    MMAP.invokeExact(MemorySegment.NULL, bytes, PROT_READ_WRITE, flags, descriptor, offset);
        } catch (Throwable impossible) {
            throw new AssertionError("a call of the C library threw", impossible);
        }
        if (mapping.address() == MAP_FAILED) {
            throw new OutOfMemoryError("the system does not map " + bytes + " bytes");
        }
        return mapping.reinterpret(bytes, arena, PageMemory::unmap);
    }

    /** Gives the pages back to the system; they read as zeros afterwards. The segment begins at a page's beginning. */
    public static void discard(MemorySegment pages) {
        try {
            int ignored = (int) MADVISE.invokeExact(pages, pages.byteSize(), MADV_DONTNEED);
        } catch (Throwable impossible) {
            throw new AssertionError("a call of the C library threw", impossible);
        }
    }

    private static void unmap(MemorySegment mapping) {
        try {
            int ignored = (int) MUNMAP.invokeExact(mapping, mapping.byteSize());
        } catch (Throwable impossible) {
            throw new AssertionError("a call of the C library threw", impossible);
        }
    }

    private static MethodHandle bind(String name, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor);
    }
}
