package org.beefs.simulator.kernel;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Content that a mount's kernel keeps of files whose opens allow it. What is being read when a file's pages are dropped
 * is not kept, but whoever waits for it gets it.
 */
final class Pages {
    static final int SIZE = 4096;

    private static final class File {
        private final TreeMap<Long, byte[]> pages = new TreeMap<>();
        private int drops;
        private int reading;
        private @Nullable CompletableFuture<Void> quiet;
    }

    /** READ of some pages, from asking to {@link #read}. */
    record Reading(long inode, long first, int drops) {}

    private final boolean keepsForEver;
    private final Map<Long, File> files = new HashMap<>();

    /** @param keepsForEver a planted fault: nothing is ever dropped */
    Pages(boolean keepsForEver) {
        this.keepsForEver = keepsForEver;
    }

    /** A page that may be used; null when it must be read. */
    byte @Nullable [] get(long inode, long page) {
        File file = files.get(inode);
        return file == null ? null : file.pages.get(page);
    }

    /** READ is sent; {@link #read} or {@link #failed} follows. */
    Reading begin(long inode, long first) {
        File file = files.computeIfAbsent(inode, fresh -> new File());
        file.reading++;
        return new Reading(inode, first, file.drops);
    }

    /** READ is answered; what lies behind the end of the file is zero. */
    void read(Reading reading, byte[] content) {
        File file = end(reading);
        if (file.drops == reading.drops()) {
            for (int at = 0; at < content.length; at += SIZE) {
                file.pages.put(reading.first() + at / SIZE, Arrays.copyOfRange(content, at, at + SIZE));
            }
        }
    }

    void failed(Reading reading) {
        end(reading);
    }

    private File end(Reading reading) {
        File file = files.computeIfAbsent(reading.inode(), dropped -> new File());
        file.reading--;
        CompletableFuture<Void> quiet = file.quiet;
        if (file.reading == 0 && quiet != null) {
            file.quiet = null;
            quiet.complete(null);
        }
        return file;
    }

    /** Nothing that was read before is used any more; done when no page is being read, as pages are locked then. */
    CompletableFuture<Void> drop(long inode) {
        File file = files.get(inode);
        if (file == null || keepsForEver) {
            return CompletableFuture.completedFuture(null);
        }
        file.pages.clear();
        file.drops++;
        if (file.reading == 0) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> quiet = file.quiet == null ? new CompletableFuture<>() : file.quiet;
        file.quiet = quiet;
        return quiet;
    }

    /** The kernel itself sends something that changes these bytes. */
    void drop(long inode, long offset, long length) {
        File file = files.get(inode);
        if (file != null && !keepsForEver) {
            file.pages.subMap(offset / SIZE, (offset + length - 1) / SIZE + 1).clear();
        }
    }
}
