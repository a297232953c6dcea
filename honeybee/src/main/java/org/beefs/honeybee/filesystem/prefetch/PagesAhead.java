package org.beefs.honeybee.filesystem.prefetch;

import java.util.concurrent.CompletableFuture;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.DirectoryPage;
import org.beefs.common.wire.ListDirectory;
import org.beefs.honeybee.queen.Metadata;

/**
 * Has the next pages of a large directory listed while the program is busy with those before. The kernel asks for some
 * 190 entries at a time, and each time that the queen-bee is asked the program waits. What comes is cached under the
 * directory's lease, without which nothing is asked for ahead. Thread-safe.
 */
final class PagesAhead {
    /** Entries that are asked for at a time: more would keep the queen-bee from others for more than 2 ms. */
    static final int ENTRIES = 512;

    /** Directories of which a page is under way; what comes meanwhile is not listed ahead. */
    private static final int MOST_UNDER_WAY = 16;

    private final Metadata metadata;
    private final ListingsAhead ahead;

    PagesAhead(Metadata metadata, Clock clock) {
        this.metadata = metadata;
        this.ahead = new ListingsAhead(metadata, clock, MOST_UNDER_WAY);
    }

    /** A page: at once when it is known, behind the one that is under way if there is one. */
    CompletableFuture<DirectoryPage> page(ListDirectory list) {
        DirectoryPage known = ahead.isUnderWay(list.getInode()) ? metadata.knownPage(list) : null;
        return known != null
                ? CompletableFuture.completedFuture(known)
                : ahead.arrived(list.getInode()).thenCompose(_ -> metadata.list(list));
    }

    /** A program was told this page. One that was told the first page only may want no more. */
    void listed(ListDirectory list, DirectoryPage page) {
        if (list.getAfter() == 0 || page.getEnd() || page.getEntriesCount() == 0 || ahead.isFull()) {
            return;
        }
        long last = page.getEntries(page.getEntriesCount() - 1).getCookie();
        metadata.endOfListing(list.getInode(), last, ENTRIES / 2)
                .ifPresent(end -> ahead.ask(list.toBuilder().setAfter(end).setLimit(ENTRIES)));
    }
}
