package org.beefs.honeybee.mount;

import org.beefs.common.wire.Credentials;

/** What can be learned of the threads that wait for the file system. Thread-safe. */
public interface Callers {
    /** The kernel's number for threads that this process cannot see, as those outside of its container. */
    int UNSEEN = 0;

    /**
     * The identity that the kernel stated, with the thread's supplementary groups where they matter. Fails with
     * {@link org.beefs.common.posix.PosixException} when they cannot be found out now.
     */
    Credentials credentials(int uid, int gid, int pid);

    /** Answers {@link State#ALIVE} for {@link #UNSEEN}. */
    State state(int pid);

    /** Whether a thread is on its way out, so that it will not look at any answer, nor at signals. */
    boolean isExiting(int pid);

    /** How a thread is. */
    enum State {
        ALIVE,
        /** SIGKILL, or what the kernel made into one, waits for it. */
        BEING_KILLED,
        GONE
    }
}
