package org.beefs.honeybee.queen;

import com.google.protobuf.ByteString;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.DirectoryPage;
import org.beefs.common.wire.ListDirectory;
import org.beefs.common.wire.Node;
import org.beefs.honeybee.cache.MetadataCache;
import org.beefs.honeybee.cache.ReadableFile;
import org.jspecify.annotations.Nullable;

/** Names and attributes: from the cache what is known under leases, all else from the queen-bee. */
public final class Metadata {
    private final QueenProxy queen;
    private final MetadataCache cache;

    public Metadata(QueenProxy queen) {
        this.queen = queen;
        this.cache = queen.cache();
    }

    public CompletableFuture<Node> lookup(Credentials caller, long directory, ByteString name) {
        return Futures.attempt(() -> {
            CompletableFuture<Node> known = cache.lookup(caller, directory, name);
            return known == null ? queen.lookup(caller, directory, name) : known;
        });
    }

    public CompletableFuture<Node> attributes(long inode) {
        Node known = cache.node(inode);
        return known == null ? queen.attributes(inode) : CompletableFuture.completedFuture(known);
    }

    /** Mode, owner, and whether there are file capabilities: what is leased also of a file that is being written. */
    public CompletableFuture<Node> rights(long inode) {
        Node known = knownRights(inode);
        return known == null ? queen.attributes(inode) : CompletableFuture.completedFuture(known);
    }

    /** What is known of these without asking, and of whether there are extended attributes; null when nothing is. */
    public @Nullable Node knownRights(long inode) {
        return cache.rights(inode);
    }

    /** An inode's node as the queen-bee has it now, whatever is known here. */
    public CompletableFuture<Node> freshAttributes(long inode) {
        return queen.attributes(inode);
    }

    /** What the lease on an inode's attributes says; null without one. */
    public @Nullable Node knownNode(long inode) {
        return cache.node(inode);
    }

    /** A clean file, for whoever has the right to read it; null when that is not known. */
    public @Nullable ReadableFile readable(long inode) {
        return cache.readableFile(inode);
    }

    /** What is known of an inode without asking; null when nothing is. */
    public @Nullable Attributes known(long inode) {
        Node node = knownNode(inode);
        return node == null ? null : node.getAttributes();
    }

    /** A page that is known without asking, which may be shorter than wanted; null when none is. */
    public @Nullable DirectoryPage knownPage(ListDirectory list) {
        return cache.page(list.getInode(), list.getAfter(), list.getLimit(), list.getWithNodes());
    }

    /** As {@link MetadataCache#endOfListing}. */
    public OptionalLong endOfListing(long directory, long after, int enough) {
        return cache.endOfListing(directory, after, enough);
    }

    public CompletableFuture<DirectoryPage> list(ListDirectory list) {
        DirectoryPage known = knownPage(list);
        return known == null ? queen.list(list) : CompletableFuture.completedFuture(known);
    }

    /** Whether a directory's whole listing is known. */
    public boolean isListed(long directory) {
        return cache.isListed(directory);
    }

    public CompletableFuture<Void> checkAccess(Credentials caller, long inode, int mask) {
        return Futures.attempt(() -> cache.checkAccess(caller, inode, mask)
                ? CompletableFuture.completedFuture(null)
                : queen.checkAccess(caller, inode, mask));
    }
}
