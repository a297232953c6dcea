package org.beefs.honeybee.queen;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.beefs.common.wire.EndedFile;
import org.beefs.common.wire.OpenFile;
import org.beefs.common.wire.QueenReply;
import org.jspecify.annotations.Nullable;

/**
 * All files that the mounts of this desktop have open. The queen-bee keeps opens in memory only; a registration tells
 * it them again. Thread-safe. Bounded by {@code maxOpenFiles}, up to the few opens that are under way at once.
 */
final class OpenRegistry {
    /** More than end within the 50 ms after which the queen-bee's disk usually has them. */
    private static final int MOST_ENDED = 8192;

    private final int mostOpen;
    private final AtomicLong lastHandle = new AtomicLong();
    private final Map<Long, OpenRecord> records = new ConcurrentHashMap<>();

    /** How often each inode is open to be read only. */
    private final Map<Long, Integer> readers = new ConcurrentHashMap<>();

    /** Inodes by handle: of files that were open to be written, and of whose end the queen-bee has not answered. */
    private final Map<Long, Long> ending = new ConcurrentHashMap<>();

    /**
     * Ended opens of which the queen-bee has answered, and that are not on her disk yet; the oldest first. At most
     * {@link #MOST_ENDED}, and as many as are under way. Guarded by itself.
     */
    private final Deque<EndedFile> ended = new ArrayDeque<>();

    OpenRegistry(int mostOpen) {
        this.mostOpen = mostOpen;
    }

    /** A number that this process never gave to an open before. */
    long nextHandle() {
        return lastHandle.incrementAndGet();
    }

    boolean full() {
        return records.size() >= mostOpen;
    }

    OpenRecord add(OpenRecord record) {
        if (!record.write()) {
            readers.merge(record.inode(), 1, Integer::sum);
        }
        records.put(record.handle(), record);
        return record;
    }

    /** Whether any of these inodes is open to be read only. */
    boolean isAnyRead(List<Long> inodes) {
        return inodes.stream().anyMatch(readers::containsKey);
    }

    /** Null when there is none. */
    @Nullable
    OpenRecord find(long handle) {
        return records.get(handle);
    }

    /** Takes an open out: it is not asserted any more; {@link #over} follows. Null when there is none. */
    @Nullable
    OpenRecord remove(long handle) {
        OpenRecord record = records.get(handle);
        if (record != null && record.write()) {
            ending.put(handle, record.inode()); // before it is gone: a registration has one or the other
        }
        return take(handle);
    }

    private @Nullable OpenRecord take(long handle) {
        OpenRecord record = records.remove(handle);
        if (record != null && !record.write()) {
            readers.computeIfPresent(record.inode(), (_, times) -> times == 1 ? null : times - 1);
        }
        return record;
    }

    /** The queen-bee need not hear that it is over, or never will. */
    void over(long handle) {
        ending.remove(handle);
    }

    /** The queen-bee has answered that it is over. */
    void over(long handle, QueenReply answer) {
        Long inode = ending.get(handle);
        if (inode != null) {
            EndedFile file = EndedFile.newBuilder()
                    .setInode(inode)
                    .setChange(answer.getSequence())
                    .build();
            end(file, answer.getDurableSequence());
            ending.remove(handle); // after it is there: a registration has one or the other
        }
    }

    private void end(EndedFile one, long durable) {
        synchronized (ended) {
            settle(durable);
            if (one.getChange() > durable) {
                ended.add(one);
            }
        }
    }

    /**
     * Whether no more should end before the queen-bee's disk has what there is.
     *
     * @param durable the last change that is known to be on her disk
     */
    boolean hasManyEnded(long durable) {
        synchronized (ended) {
            settle(durable);
            return ended.size() >= MOST_ENDED;
        }
    }

    /** Each is looked at once, however long the disk takes. */
    private void settle(long durable) {
        for (EndedFile first = ended.peek(); first != null && first.getChange() <= durable; first = ended.peek()) {
            ended.remove();
        }
    }

    /**
     * Files of whose end the queen-bee has not answered: they may have changed without her knowing, if her power has
     * failed. To be asked after the opens, and before {@link #ended(long)}.
     */
    Set<Long> ending() {
        return Set.copyOf(ending.values());
    }

    /**
     * Files of whose end the queen-bee has answered, and that may not be on her disk yet.
     *
     * @param durable the last change that is known to be on her disk
     */
    List<EndedFile> ended(long durable) {
        synchronized (ended) {
            settle(durable);
            return List.copyOf(ended);
        }
    }

    /** The opens that a registration asserts; marks them as told. */
    List<OpenFile> assertAll() {
        return records.values().stream()
                .filter(OpenRecord::assertIt)
                .map(OpenRecord::toWire)
                .toList();
    }

    /**
     * The files that are open under these handles are gone: they are not asserted any more, and nobody will release
     * them.
     */
    void lose(List<Long> handles) {
        for (Long handle : handles) {
            OpenRecord record = take(handle);
            if (record != null) {
                record.lose();
            }
        }
    }

    int size() {
        return records.size();
    }
}
