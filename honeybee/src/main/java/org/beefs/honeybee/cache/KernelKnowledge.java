package org.beefs.honeybee.cache;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.function.ObjLongConsumer;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.Attributes;

/**
 * Says for how long a kernel may keep what it is told, in nanoseconds and 0 for not at all, and notes who was told, so
 * that whatever leaves the cache is taken from him. Guarded by the cache's lock.
 */
final class KernelKnowledge {
    /** How long a kernel keeps what has no lifetime: a century. */
    private static final long UNTIL_TOLD = Duration.ofDays(36_500).toNanos();

    private final Clock clock;
    private final LeaseTerm term;
    private final NodeTable nodes;
    private final DirectoryTable directories;
    private final EffectsUnderWay pending;
    private final Delegations delegations;
    private final WriteLeases writing;

    /** @param writing files for which the write lease is held */
    KernelKnowledge(
            Clock clock,
            LeaseTerm term,
            NodeTable nodes,
            DirectoryTable directories,
            EffectsUnderWay pending,
            Delegations delegations,
            WriteLeases writing) {
        this.clock = clock;
        this.term = term;
        this.nodes = nodes;
        this.directories = directories;
        this.pending = pending;
        this.delegations = delegations;
        this.writing = writing;
    }

    long attributes(CacheView view, Attributes attributes) {
        CachedNode known = nodes.find(attributes.getInode());
        return known == null || known.isDirty() ? 0 : tell(known, view, attributes, (node, now) -> {});
    }

    /**
     * The lifetime of attributes in the answer to a change, with which the kernel overwrites what it is told meanwhile.
     */
    long changedAttributes(CacheView view, Attributes attributes) {
        CachedNode known = nodes.find(attributes.getInode());
        return known == null || known.isDirty()
                ? 0
                : tell(known, view, attributes, (node, now) -> node.tellChanged(view.bit(), now));
    }

    /** The lifetime of attributes in the answer that makes the inode. */
    long madeAttributes(CacheView view, Attributes attributes) {
        long inode = attributes.getInode();
        CachedNode known = nodes.find(inode);
        return known == null || (known.isDirty() && !isChangedHereOnly(inode))
                ? 0
                : tell(known, view, attributes, CachedNode::tellMade);
    }

    private boolean isChangedHereOnly(long inode) {
        return writing.has(inode) || delegations.has(inode);
    }

    private long tell(CachedNode known, CacheView view, Attributes attributes, ObjLongConsumer<CachedNode> how) {
        long now = clock.bootNanos();
        long lifetime = term.remaining(now);
        if (lifetime == 0 || !view.shows(known.node().getAttributes(), attributes)) {
            return 0;
        }
        known.tell(view.bit(), now, lifetime);
        how.accept(known, now);
        return lifetime;
    }

    /** An inode's access control lists were answered: whoever keeps them does so until it is told. */
    void accessControl(CacheView view, long inode) {
        CachedNode known = nodes.find(inode);
        if (known != null) {
            known.tell(view.bit(), clock.bootNanos(), UNTIL_TOLD);
        }
    }

    long entry(CacheView view, long directory, ByteString name, long inode, boolean listed) {
        long now = clock.bootNanos();
        CachedDirectory known = directories.find(directory);
        CachedEntry entry = known == null ? null : known.find(name);
        long lifetime = term.remaining(now);
        if (known == null || entry == null || entry.inode() != inode || lifetime == 0) {
            return 0;
        }
        if (known.isBusy(now) || pending.concernsName(directory, name)) {
            return 0;
        }
        known.tell(view.bit(), now, lifetime);
        if (listed) {
            known.tellListed(now);
        }
        return lifetime;
    }
}
