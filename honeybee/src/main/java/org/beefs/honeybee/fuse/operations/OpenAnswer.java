package org.beefs.honeybee.fuse.operations;

import com.google.protobuf.ByteString;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.beefs.honeybee.fuse.exchange.Answer;
import org.beefs.honeybee.fuse.operations.BackingFiles.BackedFile;
import org.beefs.honeybee.fuse.protocol.Protocol;
import org.beefs.honeybee.fuse.protocol.Reply;
import org.jspecify.annotations.Nullable;

/**
 * Hands a handle to the kernel, which releases it later; one that the kernel does not take is released here.
 *
 * @param created the name in the directory when it is the answer to CREATE; null when it is to OPEN
 */
record OpenAnswer(
        FileSystem fileSystem,
        KernelState kernel,
        BackingFiles backings,
        long directory,
        @Nullable ByteString created) implements Answer<BackedFile> {
    /**
     * Flags for a file whose reads and writes go past the page cache. Writes inside the file run side by side: those
     * that make it longer, and appends, the kernel still orders one after the other.
     */
    private static final int PAST_THE_CACHE = Protocol.FOPEN_DIRECT_IO | Protocol.FOPEN_PARALLEL_DIRECT_WRITES;

    @Override
    public boolean send(Reply reply, BackedFile backed) {
        int atClose = fileSystem.wantsFlush(backed.file().handle()) ? 0 : Protocol.FOPEN_NOFLUSH;
        int flags = atClose | (backed.isBacked() ? passthrough(backed) : throughTheDriver(backed.file()));
        return created == null
                ? reply.opened(backed.file().handle(), flags, backed.backing())
                : kernel.created(reply, directory, created, backed, flags);
    }

    @Override
    public void undelivered(BackedFile backed) {
        if (created != null) {
            kernel.cache().invalidateEntries();
        }
        OpenedFile file = backed.file();
        kernel.closed(file.attributes().getInode(), file.handle());
        backings.leave(file.attributes().getInode());
        fileSystem.release(file.handle());
    }

    @Override
    public boolean isCancellable() {
        return false;
    }

    /** Flags for a file in passthrough. Where direct I/O is set too, it has precedence. */
    private static int passthrough(BackedFile backed) {
        return Protocol.FOPEN_PASSTHROUGH | (backed.direct() ? Protocol.FOPEN_DIRECT_IO : 0);
    }

    private int throughTheDriver(OpenedFile file) {
        return switch (kernel.opened(file)) {
            case NONE -> PAST_THE_CACHE;
            case FRESH -> 0;
            case KEPT -> Protocol.FOPEN_KEEP_CACHE;
        };
    }
}
