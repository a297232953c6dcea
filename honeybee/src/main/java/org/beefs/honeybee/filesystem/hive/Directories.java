package org.beefs.honeybee.filesystem.hive;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.rpc.ProtocolBounds;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.DirectoryEntry;
import org.beefs.common.wire.DirectoryPage;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.ListDirectory;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.honeybee.filesystem.Entry;
import org.beefs.honeybee.filesystem.FileSystem.Listing;
import org.beefs.honeybee.filesystem.content.OpenHandles;
import org.beefs.honeybee.filesystem.prefetch.Prefetcher;
import org.beefs.honeybee.queen.Metadata;
import org.jspecify.annotations.Nullable;

/** Lists directories. */
final class Directories {
    private static final int READ = 4;

    private final Metadata metadata;
    private final OpenHandles handles;
    private final DirtyStatuses statuses;
    private final AccessTimes accesses;
    private final Prefetcher prefetcher;

    Directories(
            Metadata metadata,
            OpenHandles handles,
            DirtyStatuses statuses,
            AccessTimes accesses,
            Prefetcher prefetcher) {
        this.metadata = metadata;
        this.handles = handles;
        this.statuses = statuses;
        this.accesses = accesses;
        this.prefetcher = prefetcher;
    }

    CompletableFuture<Void> open(Credentials caller, long directory) {
        return metadata.checkAccess(caller, directory, READ);
    }

    /**
     * Entries whose honeycomb does not answer in time come without attributes: the kernel then asks for them one by
     * one.
     */
    CompletableFuture<Listing> list(long directory, long after, int limit, boolean withAttributes) {
        ListDirectory list = ListDirectory.newBuilder()
                .setInode(directory)
                .setAfter(after)
                .setLimit(Math.clamp(limit, 1, ProtocolBounds.DIRECTORY_ENTRIES))
                .setWithNodes(withAttributes)
                .build();
        if (after == 0) {
            accesses.read(metadata.known(directory));
        }
        return prefetcher
                .page(list)
                .thenCompose(page -> statuses.of(dirty(page)).thenApply(found -> listing(page, found)));
    }

    private static List<Layout> dirty(DirectoryPage page) {
        return page.getEntriesList().stream()
                .map(entry -> entry.getNode().getLayout())
                .filter(Layout::getDirty)
                .toList();
    }

    private Listing listing(DirectoryPage page, Map<Long, ReplicaStatus> statuses) {
        List<Entry> entries = page.getEntriesList().stream()
                .map(entry -> new Entry(
                        entry.getName(),
                        entry.getInode(),
                        entry.getType(),
                        entry.getCookie(),
                        attributes(entry, statuses.get(entry.getInode()))))
                .toList();
        return new Listing(entries, page.getEnd(), page.getParent(), page.getNextCookie());
    }

    private @Nullable Attributes attributes(DirectoryEntry entry, @Nullable ReplicaStatus status) {
        if (!entry.hasNode()) {
            return null;
        }
        handles.observe(entry.getNode().getAttributes());
        if (!entry.getNode().getLayout().getDirty()) {
            return accesses.shown(entry.getNode().getAttributes());
        }
        return status == null || AttributeMerger.isOutdated(entry.getNode().getLayout(), status)
                ? null
                : accesses.shown(AttributeMerger.merge(entry.getNode(), status));
    }
}
