package org.beefs.honeycomb.memory;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;

/** Content of a sparse file, in pages. Not thread-safe. */
final class MemoryContent {
    static final int PAGE = MemoryPage.SIZE;

    private final TreeMap<Long, MemoryPage> pages = new TreeMap<>();
    private long size;

    /** The same content in pages of its own. */
    MemoryContent copy() {
        MemoryContent copy = new MemoryContent();
        pages.forEach((number, page) -> copy.pages.put(number, page.copy()));
        copy.size = size;
        return copy;
    }

    /**
     * Which pages it has now and how long it is: what a file system's journal knows of it. The pages are the same ones.
     */
    MemoryContent extents() {
        MemoryContent extents = new MemoryContent();
        extents.pages.putAll(pages);
        extents.size = size;
        return extents;
    }

    /** All pages are brought to disk. */
    void sync() {
        pages.values().forEach(MemoryPage::sync);
    }

    /** As {@link MemoryPage#losePower}. What a page has beyond the end nobody sees again. */
    void losePower(BooleanSupplier keeps) {
        pages.values().forEach(page -> page.losePower(keeps));
        zero(size, PAGE - size % PAGE);
    }

    long size() {
        return size;
    }

    /** The same for the same bytes, wherever there are holes. */
    int fingerprint() {
        int hash = Long.hashCode(size);
        for (Map.Entry<Long, MemoryPage> page : pages.entrySet()) {
            if (page.getKey() * PAGE < size && !page.getValue().isZero()) {
                hash = 31 * hash + page.getKey().hashCode();
                hash = 31 * hash + Arrays.hashCode(page.getValue().bytes());
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
            pages.firstEntry().getValue().bytes()[0] ^= 1;
        }
    }

    int read(ByteBuffer into, long position) {
        int count = (int) Math.max(0, Math.min(into.remaining(), size - position));
        for (int done = 0; done < count; ) {
            int inPage = (int) ((position + done) % PAGE);
            int length = Math.min(PAGE - inPage, count - done);
            MemoryPage page = pages.get((position + done) / PAGE);
            into.put(page == null ? new byte[PAGE] : page.bytes(), inPage, length);
            done += length;
        }
        return count;
    }

    int write(ByteBuffer from, long position) {
        int count = from.remaining();
        for (int done = 0; done < count; ) {
            int inPage = (int) ((position + done) % PAGE);
            int length = Math.min(PAGE - inPage, count - done);
            from.get(page((position + done) / PAGE).bytes(), inPage, length);
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
        for (Map.Entry<Long, MemoryPage> entry :
                pages.subMap(offset / PAGE, (end + PAGE - 1) / PAGE).entrySet()) {
            long start = entry.getKey() * PAGE;
            int from = (int) Math.max(0, offset - start);
            int to = (int) Math.min(PAGE, end - start);
            Arrays.fill(entry.getValue().bytes(), from, to, (byte) 0);
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

    private MemoryPage page(long number) {
        return pages.computeIfAbsent(number, absent -> new MemoryPage());
    }
}
