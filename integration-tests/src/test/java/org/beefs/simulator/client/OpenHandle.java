package org.beefs.simulator.client;

import org.beefs.honeycomb.memory.OutsideFile;
import org.jspecify.annotations.Nullable;

/**
 * A file that a client has open.
 *
 * @param handle the file system's number of the open
 * @param operation the model's number of it
 * @param past the replica's file, if the kernel reads and writes that by itself
 */
record OpenHandle(
        long handle,
        long inode,
        int operation,
        boolean read,
        boolean write,
        @Nullable OutsideFile past) {}
