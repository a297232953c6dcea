package org.beefs.honeybee.filesystem;

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
import org.beefs.honeybee.filesystem.FileSystem.Listing;
import org.jspecify.annotations.Nullable;

/** Lists directories. */
final class Directories {
    private static final int READ = 4;

    private final Metadata metadata;
    private final HandleTable handles;
    private final DirtyStatuses statuses;
    private final AccessTimes accesses;
    private final SmallFileScans files;
    private final TreeWalks walks;
    private final PagesAhead ahead;

    Directories(
            Metadata metadata,
            HandleTable handles,
            DirtyStatuses statuses,
            AccessTimes accesses,
            SmallFileScans files) {
        this.metadata = metadata;
        this.handles = handles;
        this.statuses = statuses;
        this.accesses = accesses;
        this.files = files;
        this.walks = new TreeWalks(metadata);
        this.ahead = new PagesAhead(metadata);
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
        return walks.arrived(directory).thenCompose(_ -> ahead.page(list)).thenCompose(page -> {
            ahead.listed(list, page);
            walks.listed(directory, after, page.getEntriesList());
            files.listed(directory, after, page.getEntriesList());
            return statuses.of(dirty(page)).thenApply(found -> listing(page, found));
        });
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
