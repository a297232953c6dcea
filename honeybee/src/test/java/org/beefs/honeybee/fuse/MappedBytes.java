package org.beefs.honeybee.fuse;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Bytes of a file that is mapped through a mount of this very process, touched in native code: a thread that waits for
 * a page in Java code reaches no safepoint, so that a garbage collection in that moment would wait for it, and the
 * threads that bring the page for the collection.
 */
final class MappedBytes {
    private static final MethodHandle MEMCPY = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("memcpy"),
                    FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, JAVA_LONG));

    private MappedBytes() {}

    static byte load(MemorySegment map, long offset) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment loaded = arena.allocate(1);
            copy(loaded, map.asSlice(offset, 1));
            return loaded.get(JAVA_BYTE, 0);
        }
    }

    static void store(MemorySegment map, long offset, byte value) {
        try (Arena arena = Arena.ofConfined()) {
            copy(map.asSlice(offset, 1), arena.allocateFrom(JAVA_BYTE, value));
        }
    }

    private static void copy(MemorySegment to, MemorySegment from) {
        try {
            MemorySegment copied = (MemorySegment) MEMCPY.invokeExact(to, from, from.byteSize());
            assert copied.address() == to.address();
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
