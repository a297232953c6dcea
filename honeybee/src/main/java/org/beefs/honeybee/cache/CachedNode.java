package org.beefs.honeybee.cache;

import org.beefs.common.wire.Layout;
import org.beefs.common.wire.Node;
import org.jspecify.annotations.Nullable;

/** An inode under an attribute lease. Guarded by the cache's lock. */
final class CachedNode extends Told {
    /** Nobody says when a file is not dirty any more, so it is asked for again and again. */
    static final long DIRTY_FOR = 1_000_000_000L;

    private final long lease;
    private Node node;
    private @Nullable Layout readable;
    private long at;
    private long changedToldAt = Invalidation.NEVER;
    private long changedToldTo;
    private long madeToldAt = Invalidation.NEVER;

    /** @param lease a number that no other has */
    CachedNode(Node node, long lease, long now) {
        this.lease = lease;
        this.node = node;
        this.at = now;
    }

    Node node() {
        return node;
    }

    long lease() {
        return lease;
    }

    /**
     * The layout by which the content can be read, as long as this is here; null when that is not known, or somebody
     * may be writing.
     */
    @Nullable
    Layout readable() {
        return readable;
    }

    void readableBy(Layout layout) {
        readable = layout;
    }

    /** There may be a nearer replica by now. */
    void forgetReadable() {
        readable = null;
    }

    /** The queen-bee has answered an equal node again. */
    void renew(Node same, long now) {
        node = same;
        at = now;
    }

    /** A kernel was told in an answer that it takes over whatever it is told meanwhile. */
    void tellChanged(long view, long now) {
        changedToldTo = isRecent(changedToldAt, now) ? changedToldTo | view : view;
        changedToldAt = now;
    }

    /** The views, as bits, that were told in such an answer then or shortly before. */
    long changedToldTo() {
        return changedToldTo;
    }

    long changedToldAt() {
        return changedToldAt;
    }

    /** A kernel was told in the answer that makes the inode. */
    void tellMade(long now) {
        madeToldAt = now;
    }

    /** Whether a kernel may just be taking over the answer that makes the inode. */
    boolean isJustMade(long now) {
        return isRecent(madeToldAt, now);
    }

    private static boolean isRecent(long toldAt, long now) {
        return toldAt != Invalidation.NEVER && now - toldAt <= Kernels.SETTLING.toNanos();
    }

    boolean isDirty() {
        return node.getLayout().getDirty();
    }

    boolean isUsable(long now) {
        return !isDirty() || now - at < DIRTY_FOR;
    }
}
