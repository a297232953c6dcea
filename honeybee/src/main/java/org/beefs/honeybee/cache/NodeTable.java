package org.beefs.honeybee.cache;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.Node;
import org.jspecify.annotations.Nullable;

/**
 * Inodes under attribute leases, up to a bound; those not used for longest go first. A kernel keeps attributes only of
 * inodes that are here: whatever leaves is taken from it. Pages it keeps for as long as the lease on a clean file
 * lasts, which is not over when there is no room for the inode here any more. Guarded by the cache's lock.
 */
final class NodeTable {
    private final int most;
    private final SharedPlaces places = new SharedPlaces();
    private final LinkedHashMap<Long, CachedNode> nodes = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * What was told of inodes that have left, or have changed, and kernels may not have forgotten yet. Until they have,
     * whatever else concerns such an inode tells them too.
     */
    private final Map<Long, Invalidation.Inode> untold = new HashMap<>();

    private long lastLease;

    NodeTable(int most) {
        this.most = most;
    }

    /** What is known of an inode; null when nothing. Asking counts as use. */
    @Nullable
    CachedNode find(long inode) {
        return nodes.get(inode);
    }

    void put(Node answered, Update update) {
        Node node = kept(answered);
        long inode = node.getAttributes().getInode();
        if (node.getLayout().getDirty()) {
            update.invalidation().addPages(inode);
        }
        CachedNode known = nodes.get(inode);
        if (known != null && known.node().equals(node)) {
            known.renew(node, update.now());
        } else {
            remove(inode, update);
            known = new CachedNode(node, ++lastLease, update.now());
            nodes.put(inode, known);
        }
        if (answered.getLayout().getReadable() && !answered.getLayout().getDirty()) {
            known.readableBy(places.shared(answered.getLayout()));
        }
        if (nodes.size() > most) {
            remove(nodes.firstEntry().getKey(), update);
        }
    }

    /** The lease is over. */
    void end(long inode, Update update) {
        remove(inode, update);
        update.invalidation().addPages(inode);
    }

    /** Whether an inode is here, and certainly nobody is writing it. */
    boolean hasClean(long inode) {
        CachedNode known = nodes.get(inode);
        return known != null && !known.isDirty();
    }

    void remove(long inode, Update update) {
        CachedNode known = nodes.remove(inode);
        Invalidation.Inode before = untold.get(inode);
        if (known != null) {
            takeFromKernels(inode, known, known.keepers(update.now()), update);
        } else if (before != null) {
            update.invalidation().addInode(before);
        }
    }

    /** Forgets a file that was dirty and may not be any more. */
    void removeIfDirty(long inode, Update update) {
        CachedNode known = nodes.get(inode);
        if (known != null && known.isDirty()) {
            remove(inode, update);
        }
    }

    /** Kernels do not keep what they were told of a file that is dirty. */
    void hideIfDirty(long inode, Update update) {
        CachedNode known = nodes.get(inode);
        if (known != null && known.isDirty()) {
            takeFromKernels(inode, known, known.keepers(update.now()), update);
            known.untell();
        }
    }

    /** Forgets all of them, perhaps after a sleep of unknown length. */
    void clear(Update update) {
        untold.values().forEach(update.invalidation()::addInode);
        nodes.forEach((inode, node) -> takeFromKernels(inode, node, node.everKeepers(), update));
        nodes.clear();
    }

    /** Kernels have forgotten what they had to. */
    void told(Invalidation invalidation) {
        invalidation.inodes().forEach(told -> untold.remove(told.inode(), told));
    }

    int size() {
        return nodes.size();
    }

    boolean isEmpty() {
        return nodes.isEmpty();
    }

    /** All kernels that keep it: also the one that made a change itself may have older answers on their way. */
    private void takeFromKernels(long inode, CachedNode node, long keepers, Update update) {
        Invalidation.Inode left =
                new Invalidation.Inode(inode, keepers, node.toldAt(), update.unsettledSince(inode, node));
        Invalidation.Inode before = untold.get(inode);
        Invalidation.Inode all = before == null ? left : before.and(left);
        if (all.views() != 0) {
            untold.put(inode, all);
            update.invalidation().addInode(all);
        }
        if (node.isJustMade(update.now())) {
            update.invalidation().repeat(inode, keepers);
        }
    }

    /**
     * The node as it is kept. Of a clean file it does not matter here where it is, but which version of it the lease is
     * on.
     */
    private static Node kept(Node answered) {
        Layout layout = answered.getLayout();
        Node.Builder kept = Node.newBuilder()
                .setAttributes(answered.getAttributes())
                .setFileCapabilities(answered.getFileCapabilities())
                .setAccessAcl(answered.getAccessAcl())
                .setDefaultAcl(answered.getDefaultAcl())
                .setWithoutXattrs(answered.getWithoutXattrs());
        if (layout.getDirty()) {
            kept.setLayout(layout);
        } else if (layout.getVersion() != 0) {
            kept.getLayoutBuilder().setVersion(layout.getVersion()).setEpoch(layout.getEpoch());
        }
        return kept.build();
    }
}
