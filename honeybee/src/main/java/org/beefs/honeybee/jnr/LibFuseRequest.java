package org.beefs.honeybee.jnr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import com.google.protobuf.ByteString;
import java.lang.foreign.MemorySegment;
import org.beefs.honeybee.mount.Opcode;
import org.jspecify.annotations.Nullable;

/** The kernel's request that the current thread carries out: libfuse's callbacks do not tell all of it. Thread-safe. */
final class LibFuseRequest {
    private static final long OPCODE = 4;

    /** Where the old name and the new one of a rename stand: behind the header and the new directory. */
    private static final long NAMES_OF_RENAME = 48;

    private final ThreadLocal<MemorySegment> request = ThreadLocal.withInitial(() -> MemorySegment.NULL);

    /** The thread carries out the requests that are put there, one after the other. */
    void begin(MemorySegment memory) {
        request.set(memory);
    }

    /**
     * Whether a renaming to that name is libfuse's own: before it removes or replaces a name of an open file it renames
     * the file, so that it has a path for as long as it is open.
     */
    boolean isHiding(ByteString newName) {
        MemorySegment memory = request.get();
        Opcode opcode = opcodeOf(memory);
        return opcode == Opcode.UNLINK
                || (opcode == Opcode.RENAME && !newNameOf(memory).equals(newName));
    }

    /** Whether the renaming makes room for another file, which takes the name at once. */
    boolean isReplacing() {
        return opcodeOf(request.get()) == Opcode.RENAME;
    }

    /** Whether the kernel asks about a name that it knows: it has looked it up a moment ago. */
    boolean isOfKnownName() {
        Opcode opcode = opcodeOf(request.get());
        return opcode == Opcode.GETATTR || opcode == Opcode.OPEN;
    }

    /** Null where libfuse's own threads serve, whose requests are not known. */
    private static @Nullable Opcode opcodeOf(MemorySegment memory) {
        return memory.byteSize() == 0 ? null : Opcode.of(memory.get(JAVA_INT_UNALIGNED, OPCODE));
    }

    private static ByteString newNameOf(MemorySegment memory) {
        long start = end(memory, NAMES_OF_RENAME) + 1;
        byte[] name = memory.asSlice(start, end(memory, start) - start).toArray(JAVA_BYTE);
        return ByteString.copyFrom(name);
    }

    private static long end(MemorySegment memory, long start) {
        long end = start;
        while (memory.get(JAVA_BYTE, end) != 0) {
            end++;
        }
        return end;
    }
}
