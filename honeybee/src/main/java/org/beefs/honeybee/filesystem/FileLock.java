package org.beefs.honeybee.filesystem;

import org.beefs.common.wire.LockMode;
import org.beefs.common.wire.LockRange;

/**
 * A lock that a program asks for or gives up.
 *
 * @param owner as the kernel of this mount calls the owner
 * @param flock of flock(2), on the whole file; otherwise of fcntl(2)
 * @param mode {@link LockMode#UNLOCKED} to give the range up
 * @param pid of the process that asks
 * @param waits whether to wait for who has it
 */
public record FileLock(long owner, boolean flock, LockMode mode, LockRange range, int pid, boolean waits) {
    /** Giving up what this asks for. */
    public FileLock undone() {
        return new FileLock(owner, flock, LockMode.UNLOCKED, range, pid, false);
    }
}
