package org.beefs.honeybee.cache;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.AccessRights;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.DirectoryPage;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.Node;
import org.jspecify.annotations.Nullable;

/**
 * What the cache answers in place of the queen-bee; null and false where she must be asked, because it is not known, or
 * changes under way may have changed it. The methods are those of {@link MetadataCache}, which guards this and has seen
 * that leases hold.
 */
final class CachedAnswers {
    /** Not thrown, as each new name is looked up first: that would take a fifth of the lookup's time. */
    private static final CompletableFuture<Node> ABSENT = Futures.failed(Errno.ENOENT, "there is no such entry");

    private final Clock clock;
    private final NodeTable nodes;
    private final DirectoryTable directories;
    private final EffectsUnderWay pending;
    private final Delegations delegations;
    private long hits;
    private long misses;

    CachedAnswers(
            Clock clock,
            NodeTable nodes,
            DirectoryTable directories,
            EffectsUnderWay pending,
            Delegations delegations) {
        this.clock = clock;
        this.nodes = nodes;
        this.directories = directories;
        this.pending = pending;
        this.delegations = delegations;
    }

    @Nullable
    CompletableFuture<Node> lookup(Credentials caller, long directory, ByteString name) {
        CachedDirectory known = pending.concernsName(directory, name) ? null : directories.find(directory);
        CachedEntry entry = known == null ? null : known.find(name);
        if (known == null || entry == null || !maySearch(caller, directory)) {
            misses++;
            return null;
        }
        known.use();
        if (entry.isAbsent()) {
            hits++;
            return ABSENT;
        }
        Node found = node(entry.inode());
        return found == null ? null : CompletableFuture.completedFuture(found);
    }

    @Nullable
    Node node(long inode) {
        return counted(usable(inode));
    }

    @Nullable
    Node rights(long inode) {
        CachedNode known = withRights(inode);
        return known == null ? null : known.node();
    }

    @Nullable
    Node readable(Credentials caller, long inode, int mask) {
        CachedNode known = certain(inode);
        Layout layout = known == null ? null : known.readable();
        if (known == null || layout == null || !isNamed(known) || !AccessRights.allow(known.node(), caller, mask)) {
            misses++;
            return null;
        }
        return counted(known.node().toBuilder().setLayout(layout).build());
    }

    /** A file without a name is gone with its last open that the queen-bee knows, whatever was opened here. */
    private static boolean isNamed(CachedNode known) {
        return known.node().getAttributes().getLinks() > 0;
    }

    @Nullable
    ReadableFile readableFile(long inode) {
        CachedNode known = certain(inode);
        Layout layout = known == null ? null : known.readable();
        return known == null || layout == null ? null : new ReadableFile(layout, known.lease());
    }

    /** Fails with EACCES if not; false when that is not known. */
    boolean mayDo(Credentials caller, long inode, int mask) {
        CachedNode known = withRights(inode);
        if (known != null && !AccessRights.allow(known.node(), caller, mask)) {
            throw new PosixException(Errno.EACCES, "the permissions of inode " + inode + " forbid it");
        }
        return known != null;
    }

    @Nullable
    DirectoryPage page(long directory, long after, int limit, boolean withNodes) {
        boolean uncertain = pending.concernsListing(directory) || delegations.isListingAhead(directory);
        CachedDirectory known = uncertain ? null : directories.find(directory);
        CachedListing listing = known == null ? null : known.begun();
        if (known == null || listing == null || !listing.goesBeyond(after)) {
            misses++;
            return null;
        }
        known.use();
        // One more than asked for tells whether the page is the last.
        List<CachedEntry> found = known.page(listing, after, limit + 1);
        boolean last = found.size() <= limit;
        boolean end = last && listing.isComplete();
        List<CachedEntry> shown = last ? found : found.subList(0, limit);
        LongFunction<@Nullable Node> shows = withNodes ? this::usable : null;
        return counted(shown.isEmpty() && !end ? null : listing.page(shown, end, shows));
    }

    /** Questions that were answered; {@link #misses} counts the others. */
    long hits() {
        return hits;
    }

    long misses() {
        return misses;
    }

    private <T> @Nullable T counted(@Nullable T found) {
        if (found == null) {
            misses++;
        } else {
            hits++;
        }
        return found;
    }

    private @Nullable Node usable(long inode) {
        CachedNode known = certain(inode);
        return known != null && known.isUsable(clock.bootNanos()) ? known.node() : null;
    }

    private @Nullable CachedNode certain(long inode) {
        return pending.concernsInode(inode) ? null : nodes.find(inode);
    }

    private @Nullable CachedNode withRights(long inode) {
        return pending.concernsRights(inode) ? null : nodes.find(inode);
    }

    /** Fails with EACCES if not; false when that is not known. */
    private boolean maySearch(Credentials caller, long directory) {
        return caller.getUid() == 0 || mayDo(caller, directory, AccessRights.EXECUTE);
    }
}
