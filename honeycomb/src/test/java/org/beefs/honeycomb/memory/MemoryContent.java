package org.beefs.honeycomb.memory;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;

/** Content of a sparse file, in pages. Not thread-safe. */
final class MemoryContent {
    static final int PAGE = 4096;

    private static final byte[] HOLE = new byte[PAGE];

    private final TreeMap<Long, byte[]> pages = new TreeMap<>();
    private long size;

    MemoryContent copy() {
        MemoryContent copy = new MemoryContent();
        pages.forEach((number, page) -> copy.pages.put(number, page.clone()));
        copy.size = size;
        return copy;
    }

    long size() {
        return size;
    }

    /** The same for the same bytes, wherever there are holes. */
    int fingerprint() {
        int hash = Long.hashCode(size);
        for (Map.Entry<Long, byte[]> page : pages.entrySet()) {
            if (page.getKey() * PAGE < size && !Arrays.equals(page.getValue(), HOLE)) {
                hash = 31 * hash + page.getKey().hashCode();
                hash = 31 * hash + Arrays.hashCode(page.getValue());
            }
        }
        return hash;
    }

    long allocated() {
        return (long) pages.size() * PAGE;
    }

    /** Bytes that writing a range would allocate. */
    long growth(long offset, long length) {
        long missing = 0;
        for (long page = offset / PAGE; page * PAGE < offset + length; page++) {
            missing += pages.containsKey(page) ? 0 : PAGE;
        }
        return missing;
    }

    /** In the first page that was written; what is one hole has no bit to lose. */
    void flipABit() {
        if (!pages.isEmpty()) {
            pages.firstEntry().getValue()[0] ^= 1;
        }
    }

    int read(ByteBuffer into, long position) {
        int count = (int) Math.max(0, Math.min(into.remaining(), size - position));
        for (int done = 0; done < count; ) {
            int inPage = (int) ((position + done) % PAGE);
            int length = Math.min(PAGE - inPage, count - done);
            byte[] page = pages.get((position + done) / PAGE);
            into.put(page == null ? new byte[PAGE] : page, inPage, length);
            done += length;
        }
        return count;
    }

    int write(ByteBuffer from, long position) {
        int count = from.remaining();
        for (int done = 0; done < count; ) {
            int inPage = (int) ((position + done) % PAGE);
            int length = Math.min(PAGE - inPage, count - done);
            from.get(page((position + done) / PAGE), inPage, length);
            done += length;
        }
        size = Math.max(size, position + count);
        return count;
    }

    void allocate(long offset, long length) {
        for (long page = offset / PAGE; page * PAGE < offset + length; page++) {
            page(page);
        }
    }

    void zero(long offset, long length) {
        long end = offset + length;
        for (Map.Entry<Long, byte[]> entry :
                pages.subMap(offset / PAGE, (end + PAGE - 1) / PAGE).entrySet()) {
            long start = entry.getKey() * PAGE;
            int from = (int) Math.max(0, offset - start);
            int to = (int) Math.min(PAGE, end - start);
            Arrays.fill(entry.getValue(), from, to, (byte) 0);
        }
    }

    void punch(long offset, long length) {
        zero(offset, length);
        pages.subMap((offset + PAGE - 1) / PAGE, Math.max((offset + PAGE - 1) / PAGE, (offset + length) / PAGE))
                .clear();
    }

    void truncate(long to) {
        if (to < size) {
            pages.tailMap((to + PAGE - 1) / PAGE).clear();
            zero(to, PAGE - to % PAGE);
        }
        size = to;
    }

    void extend(long to) {
        size = Math.max(size, to);
    }

    long seek(long offset, boolean hole) {
        if (offset >= size) {
            throw new PosixException(Errno.ENXIO, "beyond the end");
        }
        for (long at = offset; at < size; at = (at / PAGE + 1) * PAGE) {
            if (pages.containsKey(at / PAGE) != hole) {
                return at;
            }
        }
        if (hole) {
            return size;
        }
        throw new PosixException(Errno.ENXIO, "no data follows");
    }

    private byte[] page(long number) {
        return pages.computeIfAbsent(number, absent -> new byte[PAGE]);
    }
}
