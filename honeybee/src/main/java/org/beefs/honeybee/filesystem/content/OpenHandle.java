package org.beefs.honeybee.filesystem.content;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.ReplicaPin;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.honeybee.data.DelayedFile;
import org.beefs.honeybee.queen.OpenRecord;
import org.beefs.honeybee.queen.Opened;
import org.beefs.honeybee.queen.QueenProxy;
import org.jspecify.annotations.Nullable;

/**
 * An open file: where its content goes, what of it somebody has to be told, and what it keeps in place. Thread-safe.
 */
public final class OpenHandle {
    private final OpenRecord open;
    private final OpenInode inode;
    private final @Nullable DelayedFile delayed;
    private final FailuresTold told;
    private final HandleChanges changes;
    private volatile Layout layout;
    private volatile long layoutValidity;
    private volatile CompletableFuture<Void> answered = CompletableFuture.completedFuture(null);

    // Become true after the open, and stay so; read without the lock.
    private volatile boolean forUpdate;
    private volatile boolean forExecution;

    // Guarded by this.
    private @Nullable ReplicaPin pin;
    private boolean released;
    private @Nullable Attributes unread;
    private long carried;

    /**
     * @param delayed what writes through it go to, if they may be held back
     * @param restarts how often the honeycomb of a layout was found to run anew
     */
    OpenHandle(
            Opened opened,
            OpenRecord open,
            OpenInode inode,
            @Nullable DelayedFile delayed,
            ToLongFunction<Layout> restarts) {
        this.open = open;
        this.inode = inode;
        this.layout = opened.node().getLayout();
        this.layoutValidity = opened.layoutValidity();
        this.delayed = delayed;
        this.told = new FailuresTold(inode.unsynced(), delayed);
        this.changes = new HandleChanges(() -> restarts.applyAsLong(layout));
    }

    /** Notes what others hold back of the file: that it has failed before is no matter of this handle. */
    void watch(@Nullable DelayedFile written) {
        told.watch(written);
    }

    public OpenRecord open() {
        return open;
    }

    public long number() {
        return open.handle();
    }

    public OpenInode inode() {
        return inode;
    }

    public Layout layout() {
        return layout;
    }

    /** {@link QueenProxy#layoutValidity} when the queen-bee was asked for this one, or an earlier one. */
    long layoutValidity() {
        return layoutValidity;
    }

    /** The delayed writes of the file, which those through this handle join; null when none may be held back. */
    public @Nullable DelayedFile delayed() {
        return delayed;
    }

    /**
     * Whether what was synced must be on the disks of several desktops, as the file's P-factor was when it was opened.
     */
    boolean isSecured() {
        return layout.getPFactor() > 1;
    }

    /** Whether a close returns only when what was written is on the primary's disk. */
    public boolean isSyncedAtClose() {
        return open.write() && layout.getPFactor() > 0;
    }

    /** The file was opened for reading and writing at once, as by programs that lock what they change. */
    void openedForUpdate() {
        forUpdate = true;
    }

    public boolean isForUpdate() {
        return forUpdate;
    }

    /** The file was opened to be run, and is kept open as long as the program runs. */
    void openedForExecution() {
        forExecution = true;
    }

    boolean isForExecution() {
        return forExecution;
    }

    /** Done when all that was written through any handle of the file before is at the honeycomb, or has failed. */
    CompletableFuture<Void> flush() {
        return delayed == null ? CompletableFuture.completedFuture(null) : delayed.flush();
    }

    /** Fails if a write has failed, or was lost, since it was answered: once for each handle that was open then. */
    void tellFailure() {
        told.tell(delayed);
    }

    /** As {@link #tellFailure}, of what others hold back: also who only reads wants to know by fsync(2). */
    void tellFailure(@Nullable DelayedFile written) {
        told.tell(written);
    }

    /**
     * As {@link #tellFailure}, but it is told again: somebody who closes an inherited descriptor, and does not look at
     * what that says, must not keep it from who wants to know by fsync(2).
     */
    void showFailure() {
        told.show(delayed);
    }

    /**
     * The content is elsewhere, or under other terms, than when the file was opened.
     *
     * @param asked {@link QueenProxy#layoutValidity} when the queen-bee was asked
     */
    void moved(Layout present, long asked) {
        layout = present;
        layoutValidity = asked;
    }

    /**
     * The queen-bee's answer to the open, which comes later when that was decided here. It has the last word about
     * where the content goes, but says nothing when a registration has brought the open before.
     */
    void answeredLater(CompletableFuture<Node> answer) {
        answered = answer.thenAccept(node -> {
            if (node.hasLayout()) {
                layout = node.getLayout();
            }
        });
    }

    /** Done when the queen-bee knows the file; fails when she refuses it. */
    CompletableFuture<Void> answered() {
        return answered;
    }

    /** Somebody may read it, and did not so far. */
    synchronized void observeUnread(Attributes attributes) {
        unread = attributes;
    }

    /** The file is read. Answers what it was like when it was opened if this is the first time, else empty. */
    public synchronized Optional<Attributes> firstRead() {
        Optional<Attributes> first = Optional.ofNullable(unread);
        unread = null;
        return first;
    }

    /** Counts bytes that came from another desktop. */
    synchronized void observeCarried(int bytes) {
        carried += bytes;
    }

    /**
     * Whether as many bytes came from other desktops as the newest version has. They need not be all different ones:
     * what is read again without the kernel's keeping it would be as well off here. Nobody knows what that has while
     * somebody writes.
     */
    synchronized boolean isReadWhole() {
        return !open.write() && !layout.getDirty() && carried > 0 && carried >= layout.getCommittedSize();
    }

    /**
     * Keeps the replica's file in place for the kernel, until the release. Fails with EBADF when that has come already.
     */
    void keep(ReplicaPin taken) {
        synchronized (this) {
            if (!released) {
                pin = taken;
                return;
            }
        }
        taken.release();
        throw new PosixException(Errno.EBADF, "the file was closed while it was opened");
    }

    /** Takes back what was kept, if anything; afterwards nothing is. */
    synchronized Optional<ReplicaPin> release() {
        Optional<ReplicaPin> kept = Optional.ofNullable(pin);
        pin = null;
        released = true;
        return kept;
    }

    /** Keeps it from being released until {@link #letGo}; false when that has begun. */
    public synchronized boolean hold() {
        if (released) {
            return false;
        }
        changes.begin();
        return true;
    }

    public void letGo() {
        changes.end();
    }

    HandleChanges changes() {
        return changes;
    }

    /** The replica was seen like this. */
    public void observe(ReplicaStatus status) {
        changes.observe(status);
    }

    /** The content was changed through it, and may be on no disk. */
    void changed(ReplicaStatus status) {
        inode.unsynced().changed(layout, status);
    }

    /** A change that {@link #changes} knew of is over. Without a status it is not known what it left behind. */
    void changeEnds(@Nullable ReplicaStatus status) {
        if (status != null) {
            changed(status);
        }
        changes.end(status);
    }
}
