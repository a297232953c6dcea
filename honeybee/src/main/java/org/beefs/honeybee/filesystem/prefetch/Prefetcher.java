package org.beefs.honeybee.filesystem.prefetch;

import java.util.concurrent.CompletableFuture;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.DirectoryPage;
import org.beefs.common.wire.ListDirectory;
import org.beefs.honeybee.data.Honeycombs;
import org.beefs.honeybee.queen.Metadata;

/** Answers listings, and by these and what is read has fetched what programs are about to want. Thread-safe. */
public final class Prefetcher {
    private final TreeWalks walks;
    private final PagesAhead pages;
    private final SmallFileScans files;

    /** For one mount, whose programs are seen here alone. */
    public Prefetcher(Metadata metadata, Honeycombs honeycombs, Clock clock) {
        this.walks = new TreeWalks(metadata, clock);
        this.pages = new PagesAhead(metadata, clock);
        this.files = new SmallFileScans(metadata, honeycombs);
    }

    /** A page of a listing that a program wants; what it will want next is asked for when this is there. */
    public CompletableFuture<DirectoryPage> page(ListDirectory list) {
        return walks.arrived(list.getInode()).thenCompose(_ -> pages.page(list)).thenApply(page -> {
            pages.listed(list, page);
            walks.listed(list.getInode(), list.getAfter(), page.getEntriesList());
            files.listed(list.getInode(), list.getAfter(), page.getEntriesList());
            return page;
        });
    }

    /** A program reads the beginning of a file. */
    public void reads(long inode) {
        files.reads(inode);
    }
}
