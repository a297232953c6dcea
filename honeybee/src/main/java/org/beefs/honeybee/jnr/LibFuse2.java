package org.beefs.honeybee.jnr;

import jnr.ffi.Pointer;
import jnr.ffi.types.size_t;
import org.jspecify.annotations.Nullable;
import ru.serce.jnrfuse.LibFuse;

/**
 * What jnr-fuse leaves out of libfuse 2: its session, so that the threads that serve it are Java's. Public because
 * jnr-ffi implements it in a class loader of its own.
 */
public interface LibFuse2 extends LibFuse {
    /**
     * Mounts, in the foreground, and answers what serves it; null when that failed, which it tells on the terminal. Not
     * in two calls, as the one for the second half is among those that glibc looks up in their oldest version.
     */
    @Nullable
    Pointer fuse_setup(
            int count,
            Pointer arguments,
            Pointer operations,
            @size_t long size,
            Pointer mountPoint,
            Pointer multithreaded,
            @Nullable Pointer data);

    /** The first channel to the kernel. */
    Pointer fuse_session_next_chan(Pointer session, @Nullable Pointer before);

    void fuse_destroy(Pointer fuse);

    Pointer fuse_get_session(Pointer fuse);

    @size_t
    long fuse_chan_bufsize(Pointer channel);

    /** One request's length; 0 when the mount is gone, or a negative errno. */
    int fuse_chan_recv(Pointer channelReference, Pointer buffer, @size_t long size);

    /** Carries one request out on the calling thread. */
    void fuse_session_process(Pointer session, Pointer request, @size_t long length, Pointer channel);

    void fuse_session_exit(Pointer session);

    /** Whether the caller of the callback on this thread got a signal. */
    int fuse_interrupted();
}
