package org.beefs.honeybee.fuse;

import com.google.protobuf.ByteString;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.jspecify.annotations.Nullable;

/**
 * Hands a handle to the kernel, which releases it later; one that the kernel does not take is released here.
 *
 * @param created the name in the directory when it is the answer to CREATE; null when it is to OPEN
 */
record OpenAnswer(
        FileSystem fileSystem,
        KernelState kernel,
        long directory,
        @Nullable ByteString created) implements Answer<OpenedFile> {
    /**
     * Reads and writes go past the page cache; close asks nothing, as nothing waits to be written. Writes inside the file
     * run side by side: those that make it longer, and appends, the kernel still orders one after the other.
     */
    private static final int FLAGS =
            Protocol.FOPEN_DIRECT_IO | Protocol.FOPEN_NOFLUSH | Protocol.FOPEN_PARALLEL_DIRECT_WRITES;

    @Override
    public boolean send(Reply reply, OpenedFile file) {
        return created == null
                ? reply.opened(file.handle(), FLAGS)
                : kernel.created(reply, directory, created, file, FLAGS);
    }

    @Override
    public void undelivered(OpenedFile file) {
        if (created != null) {
            kernel.kernel().invalidateEntries();
        }
        fileSystem.release(file.handle());
    }

    @Override
    public boolean isCancellable() {
        return false;
    }
}
