package org.beefs.honeybee.filesystem.content;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Node;
import org.beefs.honeybee.data.DelayedFile;
import org.beefs.honeybee.queen.OpenRecord;
import org.beefs.honeybee.queen.Opened;
import org.jspecify.annotations.Nullable;

/** The files that are open through this mount. Thread-safe. The session bounds the number of opens. */
public final class HandleTable {
    private record Counted(OpenInode inode, int handles) {}

    private final Map<Long, OpenHandle> handles = new ConcurrentHashMap<>();
    private final Map<Long, Counted> inodes = new ConcurrentHashMap<>();

    OpenHandle add(Opened opened, @Nullable DelayedFile delayed) {
        Node node = opened.node();
        OpenRecord open = Objects.requireNonNull(opened.open());
        int mode = node.getAttributes().getMode();
        Counted counted = inodes.merge(
                open.inode(),
                new Counted(new OpenInode(open.inode(), mode), 1),
                (known, fresh) -> new Counted(known.inode(), known.handles() + 1));
        counted.inode().observeOpened(node);
        OpenHandle handle = new OpenHandle(opened, open, counted.inode(), delayed);
        handles.put(open.handle(), handle);
        if (open.write()) {
            counted.inode().observeWriter(handle);
            counted.inode().unsynced().open();
        }
        return handle;
    }

    /** Fails with EBADF when it is not open, ESTALE when the file was lost with a session. */
    public OpenHandle get(long number) {
        OpenHandle handle = handles.get(number);
        if (handle == null) {
            throw new PosixException(Errno.EBADF, "handle " + number + " is not open");
        }
        if (handle.open().lost()) {
            throw new PosixException(Errno.ESTALE, "the open file went away while the queen-bee was out of reach");
        }
        return handle;
    }

    /** The inode that is open under the number; 0 when none is. */
    public long inodeOf(long number) {
        OpenHandle handle = handles.get(number);
        return handle == null ? 0 : handle.open().inode();
    }

    /** Fails with EBADF when it is not open. */
    OpenHandle remove(long number) {
        OpenHandle handle = handles.remove(number);
        if (handle == null) {
            throw new PosixException(Errno.EBADF, "handle " + number + " is not open");
        }
        if (handle.open().write()) {
            handle.inode().unsynced().close();
        }
        inodes.computeIfPresent(
                handle.open().inode(),
                (inode, known) -> known.handles() == 1 ? null : new Counted(known.inode(), known.handles() - 1));
        return handle;
    }

    /**
     * The last handle that was opened to write an inode; null when there is none, or the file was lost. It may be
     * released by now.
     */
    public @Nullable OpenHandle writer(long inode) {
        Counted known = inodes.get(inode);
        OpenHandle writer = known == null ? null : known.inode().writer();
        return writer == null || writer.open().lost() ? null : writer;
    }

    /** The queen-bee said what an inode is like now. */
    public void observe(Attributes attributes) {
        Counted known = inodes.get(attributes.getInode());
        if (known != null) {
            known.inode().observeMode(attributes.getMode());
        }
    }

    /** Somebody changes the file capabilities of an inode. */
    public void observeFileCapabilities(long inode) {
        Counted known = inodes.get(inode);
        if (known != null) {
            known.inode().observeFileCapabilities();
        }
    }

    /** An inode that the kernel may be writing by itself. */
    public Optional<OpenInode> writableInPassthrough(long inode) {
        return Optional.ofNullable(inodes.get(inode)).map(Counted::inode).filter(OpenInode::mayBeWrittenInPassthrough);
    }

    /** Whether the kernel reads an inode by itself that is open. */
    public boolean isInPassthrough(long inode) {
        Counted known = inodes.get(inode);
        return known != null && known.inode().isInPassthrough();
    }

    /** Whether an inode is open and had no file capabilities then, nor got any through this mount. */
    public boolean lacksFileCapabilities(long inode) {
        Counted known = inodes.get(inode);
        return known != null && !known.inode().mayHaveFileCapabilities();
    }

    public boolean isOpen(long inode) {
        return inodes.containsKey(inode);
    }

    /** Whether a program runs that was started through this mount. */
    public boolean isRunning(long inode) {
        return inodes.containsKey(inode)
                && handles.values().stream()
                        .anyMatch(handle ->
                                handle.isForExecution() && handle.inode().number() == inode);
    }

    List<Long> numbers() {
        return List.copyOf(handles.keySet());
    }
}
