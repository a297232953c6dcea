package org.beefs.honeybee.fuse.operations;

import java.lang.foreign.Arena;
import org.beefs.common.wire.Attributes;
import org.beefs.honeybee.filesystem.Entry;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.Listing;
import org.beefs.honeybee.filesystem.Lifetimes;
import org.beefs.honeybee.filesystem.OpenListing;
import org.beefs.honeybee.filesystem.OpenListings;
import org.beefs.honeybee.fuse.exchange.Exchange;
import org.beefs.honeybee.fuse.protocol.Arguments;
import org.beefs.honeybee.fuse.protocol.Body;
import org.beefs.honeybee.fuse.protocol.DirectoryPage;
import org.beefs.honeybee.fuse.protocol.Reply;

/** Listing of directories. The kernel says where a listing goes on. */
final class DirectoryOperations {
    /** Length of names that pages are planned for: longer ones leave entries over, which are asked for again. */
    private static final int PLANNED_NAME = 24;

    private final FileSystem fileSystem;
    private final Lifetimes lifetimes;
    private final OpenDirectories open;
    private final OpenListings listings = new OpenListings();

    DirectoryOperations(FileSystem fileSystem, Lifetimes lifetimes, OpenDirectories open) {
        this.fileSystem = fileSystem;
        this.lifetimes = lifetimes;
        this.open = open;
    }

    void opendir(Exchange exchange) {
        long inode = exchange.inode();
        exchange.answer(fileSystem.openDirectory(exchange.caller(), inode), (reply, nothing) -> opened(reply, inode));
    }

    /** Answers an open. The directory counts as open before that, so before the kernel can close it. */
    private boolean opened(Reply reply, long inode) {
        long handle = listings.open(inode);
        open.open(inode);
        boolean isTaken = reply.opened(handle, 0);
        if (!isTaken) {
            close(inode, handle);
        }
        return isTaken;
    }

    void releasedir(Exchange exchange, Body body) {
        close(exchange.inode(), body.int64(0));
        exchange.succeed();
    }

    private void close(long inode, long handle) {
        open.close(inode);
        listings.close(handle);
    }

    void fsyncdir(Exchange exchange) {
        exchange.answer(fileSystem.syncDirectory(exchange.inode()), (reply, nothing) -> reply.empty());
    }

    /**
     * Answers READDIR and READDIRPLUS.
     *
     * @param withRoom whether it has left room for attributes
     */
    void readdir(Exchange exchange, Body body, boolean withRoom) {
        Arguments.Read arguments = Arguments.Read.of(body);
        long inode = exchange.inode();
        OpenListing opened = listings.get(arguments.handle());
        long after = OpenListing.behindDots(arguments.offset());
        int limit = Math.max(1, arguments.size() / DirectoryPage.entrySize(PLANNED_NAME, withRoom));
        if (after == 0) {
            open.begin(inode);
        }
        boolean withAttributes = withRoom && open.takeAttributes(inode, limit);
        exchange.answer(fileSystem.listDirectory(inode, after, limit, withAttributes), (reply, listing) -> {
            if (withAttributes && lacksAttributes(listing)) {
                open.stop(inode);
            }
            return send(reply, inode, arguments, opened.told(after, listing), withRoom);
        });
    }

    /** Whether attributes are missing because a honeycomb does not answer: that is not waited for with each page. */
    private static boolean lacksAttributes(Listing listing) {
        return listing.entries().stream().anyMatch(entry -> entry.attributes() == null);
    }

    private boolean send(Reply reply, long inode, Arguments.Read arguments, Listing listing, boolean withRoom) {
        try (Arena arena = Arena.ofConfined()) {
            DirectoryPage page = new DirectoryPage(arena.allocate(arguments.size(), 8), withRoom);
            boolean room = true;
            if (arguments.offset() < OpenListing.COOKIE_SELF) {
                room = page.addSelf(inode, OpenListing.COOKIE_SELF);
            }
            if (room && arguments.offset() < OpenListing.COOKIE_PARENT) {
                room = page.addParent(listing.parent(), OpenListing.COOKIE_PARENT);
            }
            for (Entry entry : listing.entries()) {
                if (!room) {
                    break;
                }
                room = page.add(entry, entryLifetime(inode, entry), attributesLifetime(entry));
            }
            return page.length() == 0 ? reply.empty() : reply.memory(page.memory(), page.length());
        }
    }

    /**
     * How long the kernel may keep an entry: only one that comes with attributes becomes an entry that it remembers.
     */
    private long entryLifetime(long directory, Entry entry) {
        return entry.attributes() == null ? 0 : lifetimes.listedEntry(directory, entry.name(), entry.inode());
    }

    private long attributesLifetime(Entry entry) {
        Attributes attributes = entry.attributes();
        return attributes == null ? 0 : lifetimes.attributes(attributes);
    }
}
