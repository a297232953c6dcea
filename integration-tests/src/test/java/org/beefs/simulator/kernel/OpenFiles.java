package org.beefs.simulator.kernel;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.beefs.common.posix.PosixException;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.beefs.honeybee.fuse.notification.KeptPages;
import org.beefs.honeycomb.memory.MemoryDisk;
import org.beefs.honeycomb.memory.OutsideFile;
import org.jspecify.annotations.Nullable;

/**
 * What is open on a mount, and how its content travels: past the daemon, straight from and to the replica's file, or
 * through it, each read and write a request, but for content that the kernel keeps. As the driver does it, the first
 * open of an inode decides between the two for all of them until the last is released.
 */
final class OpenFiles {
    private static final int THROUGH_DAEMON = -1;

    private static final class OpenInode {
        private int opens;
        private int descriptor = THROUGH_DAEMON;
    }

    private static final class Open {
        private final long inode;
        /** The replica's file; null when its content travels through the daemon. */
        private final @Nullable OutsideFile past;
        /** Whether what is read through the daemon is kept. */
        private final boolean paged;

        private int requests;
        private @Nullable CompletableFuture<Void> quiet;

        Open(long inode, @Nullable OutsideFile past, boolean paged) {
            this.inode = inode;
            this.past = past;
            this.paged = paged;
        }
    }

    private final FileSystem fileSystem;
    private final @Nullable MemoryDisk disk;
    private final Pages pages;
    private final KeptPages keptPages;
    private final Map<Long, OpenInode> inodes = new HashMap<>();
    private final Map<Long, Open> handles = new HashMap<>();
    private final Set<Long> flushedAtClose = new HashSet<>();

    /** Those that are read through the daemon, though others have the inode open past it. */
    private final Set<Long> direct = new HashSet<>();

    /**
     * @param disk of this machine's honeycomb; null when it has none
     * @param pages the kernel's
     * @param keptPages what the driver knows of them
     */
    OpenFiles(FileSystem fileSystem, @Nullable MemoryDisk disk, Pages pages, KeptPages keptPages) {
        this.fileSystem = fileSystem;
        this.disk = disk;
        this.pages = pages;
        this.keptPages = keptPages;
    }

    /**
     * The driver has a new open, of which the kernel is about to hear. One that fails is released.
     *
     * @param leased whether content may be kept, if there is a lease on it now
     * @return how the kernel goes about content that it keeps
     */
    KeptPages.Use enter(long inode, OpenedFile file, BooleanSupplier leased) {
        long handle = file.handle();
        OpenInode present = inodes.computeIfAbsent(inode, fresh -> new OpenInode());
        present.opens++;
        try {
            if (present.opens == 1) {
                present.descriptor = fileSystem.backingFile(handle, false).orElse(THROUGH_DAEMON);
            } else if (present.descriptor != THROUGH_DAEMON
                    && fileSystem.backingFile(handle, true).isEmpty()) {
                direct.add(handle);
            }
        } catch (PosixException e) {
            leaveInode(inode);
            fileSystem.release(handle);
            throw e;
        }
        if (fileSystem.wantsFlush(handle)) {
            flushedAtClose.add(handle);
        }
        return present.descriptor == THROUGH_DAEMON && file.mayKeepPages()
                ? keptPages.open(inode, handle, leased)
                : KeptPages.Use.NONE;
    }

    /** Whether the daemon wants to hear of a handle's close before the release. */
    boolean wantsFlush(long handle) {
        return flushedAtClose.contains(handle);
    }

    /** The kernel has heard of it, and opens the replica's file itself if it is to go past the daemon. */
    void take(long inode, long handle, OpenFlags flags, KeptPages.Use use) {
        if (use != KeptPages.Use.KEPT) {
            pages.drop(inode);
        }
        OpenInode present = inodes.get(inode);
        OutsideFile past =
                present == null || disk == null || present.descriptor == THROUGH_DAEMON || direct.contains(handle)
                        ? null
                        : disk.openOutside(present.descriptor, flags.write());
        handles.put(handle, new Open(inode, past, use != KeptPages.Use.NONE));
    }

    /** The replica's file that a handle reads and writes; null when it does so through the daemon. */
    @Nullable
    OutsideFile past(long handle) {
        Open open = handles.get(handle);
        return open == null ? null : open.past;
    }

    /** Whether what is read through a handle is kept. */
    boolean isPaged(long handle) {
        Open open = handles.get(handle);
        return open != null && open.paged;
    }

    long inode(long handle) {
        return existing(handle).inode;
    }

    private Open existing(long handle) {
        Open open = handles.get(handle);
        if (open == null) {
            throw new IllegalStateException("handle " + handle + " is not open");
        }
        return open;
    }

    /** A request through a handle, which keeps the open file until it is answered. */
    <T> CompletableFuture<T> through(long handle, Supplier<CompletableFuture<T>> request) {
        Open open = existing(handle);
        open.requests++;
        return request.get().whenComplete((result, failure) -> {
            open.requests--;
            CompletableFuture<Void> quiet = open.quiet;
            if (open.requests == 0 && quiet != null) {
                quiet.complete(null);
            }
        });
    }

    /** Done when nobody uses the open file any more: only then it is released. */
    CompletableFuture<Void> quiet(long handle) {
        Open open = existing(handle);
        CompletableFuture<Void> quiet = new CompletableFuture<>();
        open.quiet = quiet;
        if (open.requests == 0) {
            quiet.complete(null);
        }
        return quiet;
    }

    /** RELEASE is about to be sent. */
    void leave(long handle) {
        Open open = handles.remove(handle);
        flushedAtClose.remove(handle);
        direct.remove(handle);
        if (open != null) {
            keptPages.release(open.inode, handle);
            leaveInode(open.inode);
        }
    }

    private void leaveInode(long inode) {
        inodes.computeIfPresent(inode, (number, present) -> --present.opens == 0 ? null : present);
    }

    boolean isOpen(long inode) {
        return inodes.containsKey(inode);
    }
}
