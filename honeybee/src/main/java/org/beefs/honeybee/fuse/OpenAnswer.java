package org.beefs.honeybee.fuse;

import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.beefs.honeybee.fuse.BackingFiles.BackedFile;

/** Hands a handle to the kernel, which releases it later; one that the kernel does not take is released here. */
record OpenAnswer(FileSystem fileSystem, BackingFiles backings, boolean created) implements Answer<BackedFile> {
    /** Close asks nothing, as nothing waits to be written. */
    private static final int PAST_THE_DRIVER = Protocol.FOPEN_PASSTHROUGH | Protocol.FOPEN_NOFLUSH;

    /**
     * Reads and writes go past the page cache. Writes inside the file run side by side: those that make it longer, and
     * appends, the kernel still orders one after the other.
     */
    private static final int THROUGH_THE_DRIVER =
            Protocol.FOPEN_DIRECT_IO | Protocol.FOPEN_NOFLUSH | Protocol.FOPEN_PARALLEL_DIRECT_WRITES;

    @Override
    public boolean send(Reply reply, BackedFile backed) {
        OpenedFile file = backed.file();
        int flags = backed.isBacked() ? PAST_THE_DRIVER : THROUGH_THE_DRIVER;
        return created
                ? reply.created(file.attributes(), file.handle(), flags, backed.backing())
                : reply.opened(file.handle(), flags, backed.backing());
    }

    @Override
    public void undelivered(BackedFile backed) {
        backings.leave(backed.file().attributes().getInode());
        fileSystem.release(backed.file().handle());
    }

    @Override
    public boolean isCancellable() {
        return false;
    }
}
