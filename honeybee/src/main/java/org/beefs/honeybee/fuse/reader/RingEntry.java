package org.beefs.honeybee.fuse.reader;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;
import org.beefs.common.linux.PageMemory;
import org.beefs.common.posix.Errno;
import org.beefs.honeybee.fuse.exchange.Exchange;
import org.beefs.honeybee.fuse.exchange.RequestBuffer;
import org.beefs.honeybee.fuse.protocol.Origin;
import org.beefs.honeybee.fuse.protocol.Protocol;

/**
 * A place in a ring for one request after the other, and for the answer to each. It belongs to the kernel until a
 * request is in it, then to the thread that answers the request, then to the ring's thread, which gives it back to the
 * kernel.
 */
final class RingEntry implements Origin {
    /**
     * The header, of {@code struct fuse_uring_req_header}: the request's or the answer's; the operation's first struct;
     * how much follows.
     */
    private static final int HEADER = 288;

    private static final int OPERATION = 128;
    private static final int COMMIT_ID = 264;
    private static final int PAYLOAD_LENGTH = 272;

    private static final int ANSWER_HEADER = 16;

    /** Length of {@code struct iovec}. */
    private static final int VECTOR = 16;

    /**
     * The payload begins with a page of its own. What the kernel takes apart is put together right before it, so that
     * requests look as they do when they are read.
     */
    private static final long PAYLOAD = PageMemory.PAGE;

    /** Bytes of an idle payload that may keep their pages. */
    private static final int SMALL = 64 << 10;

    private static final long BYTES = PAYLOAD + Protocol.MAX_WRITE;

    private final MemorySegment memory;
    private final int number;
    private final RingReader ring;

    /** Bytes of the payload that may have pages. */
    private int touched;

    private long commitId;

    private RingEntry(MemorySegment memory, int number, RingReader ring) {
        this.memory = memory;
        this.number = number;
        this.ring = ring;
    }

    /** Makes entries, which the ring's thread knows by numbers from this first one on. */
    static List<RingEntry> make(int count, int first, RingReader ring) {
        MemorySegment memory = PageMemory.allocate(count * BYTES);
        return IntStream.range(0, count)
                .mapToObj(i -> new RingEntry(memory.asSlice(i * BYTES, BYTES), first + i, ring))
                .toList();
    }

    int number() {
        return number;
    }

    /** Two {@code struct iovec}: where the header is, and where the payload. */
    MemorySegment vectors(Arena arena) {
        MemorySegment vectors = arena.allocate(2 * VECTOR, 8);
        vectors.set(ADDRESS, 0, memory);
        vectors.set(JAVA_LONG, 8, HEADER);
        vectors.set(ADDRESS, VECTOR, memory.asSlice(PAYLOAD));
        vectors.set(JAVA_LONG, VECTOR + 8, Protocol.MAX_WRITE);
        return vectors;
    }

    /** The number by which the kernel knows the request. */
    long commitId() {
        return commitId;
    }

    /** The request that has come, until its answer is written. */
    RequestBuffer request() {
        commitId = memory.get(JAVA_LONG, COMMIT_ID);
        int payload = memory.get(JAVA_INT, PAYLOAD_LENGTH);
        int operation = memory.get(JAVA_INT, 0) - Exchange.HEADER - payload;
        long start = PAYLOAD - operation - Exchange.HEADER;
        MemorySegment.copy(memory, 0, memory, start, Exchange.HEADER);
        MemorySegment.copy(memory, OPERATION, memory, start + Exchange.HEADER, operation);
        touched = Math.max(touched, payload);
        answer(Errno.EIO);
        return new RequestBuffer(memory.asSlice(start, (long) Exchange.HEADER + operation + payload), false);
    }

    /** Puts an error in as the answer, which goes to the kernel when nothing else is written. */
    private void answer(Errno errno) {
        memory.set(JAVA_INT, 0, ANSWER_HEADER);
        memory.set(JAVA_INT, 4, -errno.number());
        // The request's number is where the answer's is.
        memory.set(JAVA_INT, PAYLOAD_LENGTH, 0);
    }

    @Override
    public long write(MemorySegment message, long length) {
        MemorySegment.copy(message, 0, memory, 0, ANSWER_HEADER);
        MemorySegment.copy(message, ANSWER_HEADER, memory, PAYLOAD, length - ANSWER_HEADER);
        memory.set(JAVA_INT, PAYLOAD_LENGTH, (int) (length - ANSWER_HEADER));
        return length;
    }

    @Override
    public long writeVectors(MemorySegment vectors, int count) {
        MemorySegment.copy(piece(vectors, 0), 0, memory, 0, ANSWER_HEADER);
        int length = 0;
        for (int i = 1; i < count; i++) {
            MemorySegment piece = piece(vectors, i);
            if (length + piece.byteSize() > Protocol.MAX_WRITE) {
                return -Errno.EINVAL.number();
            }
            MemorySegment.copy(piece, 0, memory, PAYLOAD + length, piece.byteSize());
            length += (int) piece.byteSize();
        }
        memory.set(JAVA_INT, PAYLOAD_LENGTH, length);
        return ANSWER_HEADER + (long) length;
    }

    private static MemorySegment piece(MemorySegment vectors, int index) {
        long at = (long) index * VECTOR;
        return vectors.get(ADDRESS, at).reinterpret(vectors.get(JAVA_LONG, at + 8));
    }

    @Override
    public void release() {
        ring.answered(this);
    }

    /** Whether giving its pages back would save memory. To be asked before the kernel gets the entry. */
    boolean isLarge() {
        int answer = memory.get(JAVA_INT, PAYLOAD_LENGTH);
        touched = Math.max(touched, answer);
        return touched > SMALL && answer <= SMALL;
    }

    void shrink() {
        PageMemory.discard(memory.asSlice(PAYLOAD + SMALL, Protocol.MAX_WRITE - (long) SMALL));
        touched = SMALL;
    }
}
