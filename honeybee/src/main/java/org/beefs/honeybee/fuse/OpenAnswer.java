package org.beefs.honeybee.fuse;

import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;

/** Hands a handle to the kernel, which releases it later; one that the kernel does not take is released here. */
record OpenAnswer(FileSystem fileSystem, boolean created) implements Answer<OpenedFile> {
    /**
     * Reads and writes go past the page cache; close asks nothing, as nothing waits to be written. Writes inside the file
     * run side by side: those that make it longer, and appends, the kernel still orders one after the other.
     */
    private static final int FLAGS =
            Protocol.FOPEN_DIRECT_IO | Protocol.FOPEN_NOFLUSH | Protocol.FOPEN_PARALLEL_DIRECT_WRITES;

    @Override
    public boolean send(Reply reply, OpenedFile file) {
        return created ? reply.created(file.attributes(), file.handle(), FLAGS) : reply.opened(file.handle(), FLAGS);
    }

    @Override
    public void undelivered(OpenedFile file) {
        fileSystem.release(file.handle());
    }

    @Override
    public boolean isCancellable() {
        return false;
    }
}
