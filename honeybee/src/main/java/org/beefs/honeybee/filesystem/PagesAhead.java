package org.beefs.honeybee.filesystem;

import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.wire.DirectoryPage;
import org.beefs.common.wire.ListDirectory;
import org.beefs.honeybee.Futures;
import org.jspecify.annotations.Nullable;

/**
 * Has the next pages of a large directory listed while the program is busy with those before. The kernel asks for some 190 entries at a time, and each
 * time that the queen-bee is asked the program waits. She refuses what she would have to ask somebody for first. What comes is cached under the directory's lease, without which nothing is asked for ahead.
 * Thread-safe.
 */
final class PagesAhead {
    /** Entries that are asked for at a time: more would keep the queen-bee from others for more than 2 ms. */
    static final int ENTRIES = 512;

    /** Directories of which a page is under way; what comes meanwhile is not listed ahead. */
    private static final int MOST_UNDER_WAY = 16;

    private final Metadata metadata;
    private final Map<Long, CompletableFuture<Void>> underWay = new ConcurrentHashMap<>();

    PagesAhead(Metadata metadata) {
        this.metadata = metadata;
    }

    /** A page: at once when it is known, behind the one that is under way if there is one. */
    CompletableFuture<DirectoryPage> page(ListDirectory list) {
        CompletableFuture<Void> coming = underWay.get(list.getInode());
        if (coming == null) {
            return metadata.list(list);
        }
        DirectoryPage known = metadata.knownPage(list);
        return known != null ? CompletableFuture.completedFuture(known) : coming.thenCompose(_ -> metadata.list(list));
    }

    /** Somebody was told this page. Who was told the first one only may want no more. */
    void listed(ListDirectory list, DirectoryPage page) {
        if (list.getAfter() == 0 || page.getEnd() || page.getEntriesCount() == 0 || underWay.size() >= MOST_UNDER_WAY) {
            return;
        }
        long last = page.getEntries(page.getEntriesCount() - 1).getCookie();
        OptionalLong end = metadata.endOfListing(list.getInode(), last, ENTRIES / 2);
        if (end.isPresent()) {
            ask(list.toBuilder()
                    .setAfter(end.getAsLong())
                    .setLimit(ENTRIES)
                    .setAhead(true)
                    .build());
        }
    }

    /** Who waits for it asks himself then, unless there is nobody to ask, for which has been waited long enough. */
    private static void end(CompletableFuture<Void> over, @Nullable Throwable failure) {
        if (failure != null && Failures.toPosix(failure).errno() == Errno.EIO) {
            over.completeExceptionally(failure);
        } else {
            over.complete(null);
        }
    }

    private void ask(ListDirectory next) {
        long directory = next.getInode();
        CompletableFuture<Void> over = new CompletableFuture<>();
        if (underWay.putIfAbsent(directory, over) == null) {
            Futures.attempt(() -> metadata.list(next)).whenComplete((page, failure) -> {
                underWay.remove(directory, over);
                end(over, failure);
            });
        }
    }
}
