package org.beefs.simulator.hive;

import org.beefs.common.posix.Errno;
import org.beefs.honeycomb.memory.MemoryDisk.Operation;
import org.jspecify.annotations.Nullable;

/** What a honeycomb's disk refuses for a while. */
public enum DiskFault {
    NONE,
    /** Content cannot be written. */
    NO_CONTENT,
    /** No block and no inode is free: what needs one fails; what was allocated can be written over. */
    FULL,
    /** What is written may never get to disk, and names stay as they are. */
    NO_SYNC;

    /** How an operation fails; null if it does not. */
    @Nullable
    Errno of(Operation operation) {
        return switch (this) {
            case NONE -> null;
            case NO_CONTENT -> operation == Operation.WRITE ? Errno.EIO : null;
            case FULL -> operation == Operation.CREATE || operation == Operation.DESCRIBE ? Errno.ENOSPC : null;
            case NO_SYNC -> operation == Operation.SYNC || operation == Operation.RENAME ? Errno.EIO : null;
        };
    }
}
