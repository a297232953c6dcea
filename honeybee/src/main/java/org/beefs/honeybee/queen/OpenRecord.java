package org.beefs.honeybee.queen;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.OpenFile;

/** A file that this desktop has open, as the queen-bee must know it. Thread-safe. */
public final class OpenRecord {
    private enum Telling {
        /** The open was decided here, and the queen-bee has not heard of it yet. */
        UNTOLD,
        TOLD,
        /** The open was over before the queen-bee heard of it, so she never needs to. */
        NEVER
    }

    private final long inode;
    private final long handle;
    private final boolean write;
    private final AtomicReference<Telling> telling;
    private final CompletableFuture<Void> tellingEnded;
    private final CompletableFuture<Layout> toldLayout = new CompletableFuture<>();
    private volatile boolean lost;

    private OpenRecord(long inode, long handle, boolean write, Telling telling, CompletableFuture<Void> tellingEnded) {
        this.inode = inode;
        this.handle = handle;
        this.write = write;
        this.telling = new AtomicReference<>(telling);
        this.tellingEnded = tellingEnded;
    }

    /** An open that the queen-bee has answered. */
    static OpenRecord told(long inode, long handle, boolean write) {
        return new OpenRecord(inode, handle, write, Telling.TOLD, CompletableFuture.completedFuture(null));
    }

    /** An open to read that was decided here. */
    static OpenRecord untold(long inode, long handle) {
        return new OpenRecord(inode, handle, false, Telling.UNTOLD, new CompletableFuture<>());
    }

    public long inode() {
        return inode;
    }

    public long handle() {
        return handle;
    }

    public boolean write() {
        return write;
    }

    /** Whether the file went away while the session was lost: whatever is done through the handle fails with ESTALE. */
    public boolean lost() {
        return lost;
    }

    void lose() {
        lost = true;
    }

    boolean isUntold() {
        return telling.get() == Telling.UNTOLD;
    }

    /** Whether the caller is the one who has to tell the queen-bee, and says so by {@link #endTelling}. */
    boolean beginTelling() {
        return telling.compareAndSet(Telling.UNTOLD, Telling.TOLD);
    }

    /** The open is over. Says whether the queen-bee has heard of it, or will, and so has to hear of the end. */
    boolean end() {
        return !telling.compareAndSet(Telling.UNTOLD, Telling.NEVER);
    }

    /** Whether a registration asserts it. Whoever ends the open waits for that registration anyway. */
    boolean assertIt() {
        if (beginTelling()) {
            endTelling();
        }
        return telling.get() == Telling.TOLD;
    }

    /** The queen-bee has answered the message that told her of it, with any result. */
    void endTelling() {
        tellingEnded.complete(null);
    }

    /** Done when she has heard of it if she is told: its release has to wait for that, or it might come first. */
    CompletableFuture<Void> tellingEnded() {
        return tellingEnded;
    }

    void tellLayout(Layout layout) {
        toldLayout.complete(layout);
    }

    /**
     * Where the content is, as she has answered to who told her of an open that was decided here: the lease is no
     * matter of where it is, so that may be elsewhere than was known. Never done if she has not answered that.
     */
    public CompletableFuture<Layout> toldLayout() {
        return toldLayout;
    }

    OpenFile toWire() {
        return OpenFile.newBuilder()
                .setInode(inode)
                .setHandle(handle)
                .setWrite(write)
                .build();
    }
}
