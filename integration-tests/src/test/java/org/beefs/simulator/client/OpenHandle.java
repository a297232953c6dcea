package org.beefs.simulator.client;

import org.beefs.honeycomb.memory.OutsideFile;
import org.jspecify.annotations.Nullable;

/**
 * A file that a client has open.
 *
 * @param handle the file system's number of the open
 * @param operation the model's number of it
 * @param paged whether the kernel keeps what is read
 * @param behind whether writes may be answered before others would see them, so that closing waits
 * @param past the replica's file, if the kernel reads and writes that by itself
 */
record OpenHandle(
        long handle,
        long inode,
        int operation,
        boolean read,
        boolean write,
        boolean paged,
        boolean behind,
        @Nullable OutsideFile past) {}
