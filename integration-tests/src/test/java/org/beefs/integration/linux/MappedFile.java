package org.beefs.integration.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * A file in memory, shared with everybody who has it open (MAP_SHARED), to be read and written. Whoever touches it
 * behind the end of the file gets an InternalError, because of SIGBUS. For one thread.
 */
public final class MappedFile implements AutoCloseable {
    private static final SystemCall MMAP =
            SystemCall.ofLong("mmap", ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final SystemCall MSYNC = SystemCall.ofInt("msync", ADDRESS, JAVA_LONG, JAVA_INT);
    private static final SystemCall MUNMAP = SystemCall.ofInt("munmap", ADDRESS, JAVA_LONG);
    private static final int PROT_READ_AND_WRITE = 3;
    private static final int MAP_SHARED = 1;
    private static final int MS_SYNC = 4;

    private final MemorySegment memory;

    /** Maps the first bytes of a file that is open for reading and writing. The descriptor may be closed afterwards. */
    public MappedFile(int fd, int length) {
        long address = MMAP.call(MemorySegment.NULL, (long) length, PROT_READ_AND_WRITE, MAP_SHARED, fd, 0L);
        memory = MemorySegment.ofAddress(address).reinterpret(length);
    }

    public int length() {
        return (int) memory.byteSize();
    }

    public byte[] load(int offset, int count) {
        return memory.asSlice(offset, count).toArray(JAVA_BYTE);
    }

    public void store(int offset, byte[] bytes) {
        MemorySegment.copy(bytes, 0, memory, JAVA_BYTE, offset, bytes.length);
    }

    /** Until it has been written. */
    public void sync() {
        MSYNC.call(memory, memory.byteSize(), MS_SYNC);
    }

    /** Unmaps it. */
    @Override
    public void close() {
        MUNMAP.call(memory, memory.byteSize());
    }
}
