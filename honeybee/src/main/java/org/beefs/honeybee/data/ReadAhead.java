package org.beefs.honeybee.data;

import com.google.protobuf.ByteString;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.ReplicaAccess;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Payload;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.Layout;
import org.beefs.honeybee.cache.ReadableFile;
import org.jspecify.annotations.Nullable;

/**
 * Small files of other desktops that were fetched before somebody asked for them, under the lease on their attributes.
 * While the lease lasts nobody changes the files; after that nothing is read here. A file that somebody has read to its
 * end is forgotten, because the kernel has it then. Thread-safe.
 */
public final class ReadAhead {
    /** Bytes of the largest file that is fetched. */
    public static final int LARGEST = ReplicaAccess.LARGEST_SMALL_FILE;

    /** Bytes that are here, or on their way, at a time. The eldest leave for new ones. */
    static final int MOST = 4 << 20;

    /** Files that are here, or on their way, at a time; likewise. */
    static final int MOST_FILES = 1024;

    /** How long content waits for somebody to read it: so long at least, and twice as long at most. */
    static final Duration KEPT = Duration.ofSeconds(5);

    /**
     * How long a honeycomb is asked, and how long somebody who wants what is on its way waits before he asks by
     * himself.
     */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    /**
     * A file that is here, or on its way.
     *
     * @param round in which it was fetched
     * @param content fails when it could not be read
     */
    private record File(ReadableFile source, long round, CompletableFuture<byte[]> content) {
        int size() {
            return (int) source.size();
        }
    }

    private final LongFunction<@Nullable ReadableFile> leases;
    private final Timers timers;
    private final Function<List<Layout>, CompletableFuture<List<byte[]>>> source;

    // Guarded by this; by inode, the eldest first.
    private final Map<Long, File> files = new LinkedHashMap<>();
    private int bytes;

    /** A number that grows every {@link #KEPT} as long as there are files. */
    private long round;

    private boolean counting;

    /**
     * @param leases what is known of a file now; null when that is not enough to read it
     * @param source reads files of one honeycomb, whole; an empty array stands for what it could not read
     */
    ReadAhead(
            LongFunction<@Nullable ReadableFile> leases,
            Timers timers,
            Function<List<Layout>, CompletableFuture<List<byte[]>>> source) {
        this.leases = leases;
        this.timers = timers;
        this.source = source;
    }

    /** Fetches what is not here. All are clean files of other desktops, of 1 to {@link #LARGEST} bytes, and leased. */
    public void fetch(List<ReadableFile> wanted) {
        Map<ByteString, List<File>> honeycombs = new LinkedHashMap<>();
        for (ReadableFile source : wanted) {
            File file = begin(source);
            if (file != null) {
                honeycombs
                        .computeIfAbsent(source.layout().getHoneycomb(), unknown -> new ArrayList<>())
                        .add(file);
            }
        }
        honeycombs.values().forEach(this::fetchFromOne);
    }

    /** Notes a file that is to be fetched; null when it is here, or on its way. */
    private synchronized @Nullable File begin(ReadableFile source) {
        File known = files.get(source.inode());
        if (known != null && known.source().lease() == source.lease()) {
            return null;
        }
        File file = new File(source, round, new CompletableFuture<>());
        if (known != null) {
            forget(known);
        }
        bytes += file.size();
        while (bytes > MOST || files.size() == MOST_FILES) {
            forget(files.values().iterator().next());
        }
        files.put(source.inode(), file);
        if (!counting) {
            countRounds();
        }
        return file;
    }

    /** The timer knows no file: what was read must not stay in memory for its sake. */
    private synchronized void countRounds() {
        counting = !files.isEmpty();
        if (counting) {
            timers.schedule(KEPT, this::endRound);
        }
    }

    private synchronized void endRound() {
        List.copyOf(files.values()).stream()
                .filter(file -> file.round() < round)
                .forEach(this::forget);
        round++;
        countRounds();
    }

    private void fetchFromOne(List<File> wanted) {
        List<File> batch = new ArrayList<>();
        int size = 0;
        for (File file : wanted) {
            if (batch.size() == ReplicaAccess.MOST_SMALL_FILES || size + file.size() > Frame.MAX_PAYLOAD) {
                fetchTogether(batch);
                batch = new ArrayList<>();
                size = 0;
            }
            batch.add(file);
            size += file.size();
        }
        fetchTogether(batch);
    }

    private void fetchTogether(List<File> batch) {
        Futures.attempt(() -> source.apply(
                        batch.stream().map(file -> file.source().layout()).toList()))
                .whenComplete((contents, failure) -> arrived(batch, failure == null ? contents : List.of()));
    }

    private void arrived(List<File> batch, List<byte[]> contents) {
        Iterator<byte[]> content = contents.iterator();
        for (File file : batch) {
            byte[] found = content.hasNext() ? content.next() : new byte[0];
            if (found.length == file.size()) {
                file.content().complete(found);
            } else {
                forget(file);
                file.content().completeExceptionally(new PosixException(Errno.EIO, "it could not be read ahead"));
            }
        }
    }

    private synchronized void forget(File file) {
        if (files.remove(file.source().inode(), file)) {
            bytes -= file.size();
        }
    }

    /**
     * Content of a file, as {@link ReplicaAccess#read}.
     *
     * @param otherwise reads it elsewhere, if it is not here
     */
    public CompletableFuture<Payload> read(
            long inode, long offset, int length, Supplier<CompletableFuture<Payload>> otherwise) {
        File file = leased(inode, offset + length);
        if (file == null) {
            return otherwise.get();
        }
        if (file.content().isDone() && !file.content().isCompletedExceptionally()) {
            return CompletableFuture.completedFuture(part(file.content().join(), offset, length));
        }
        return CurrentRequest.of(Futures.within(timers, PATIENCE, file.content()))
                .thenCompose(found -> found.isEmpty()
                        ? otherwise.get()
                        : CompletableFuture.completedFuture(part(found.get(), offset, length)));
    }

    /**
     * The file if it is under the same lease as when it was fetched. Whoever reads up to the end leaves nothing here.
     *
     * @param end up to where it is read
     */
    private @Nullable File leased(long inode, long end) {
        File file = find(inode);
        ReadableFile present = file == null ? null : leases.apply(inode);
        boolean leased = file != null
                && present != null
                && present.lease() == file.source().lease();
        if (file != null && (!leased || end >= file.size())) {
            forget(file);
        }
        return leased ? file : null;
    }

    private synchronized @Nullable File find(long inode) {
        return files.get(inode);
    }

    private static Payload part(byte[] content, long offset, int length) {
        int from = (int) Math.min(offset, content.length);
        return new Payload.Bytes(Unpooled.wrappedBuffer(content, from, Math.min(length, content.length - from)));
    }
}
