package org.beefs.honeybee.jnr;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import org.beefs.common.posix.Errno;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a session of libfuse 2 from Java's threads. libfuse's own threads would be unknown to the JVM, and jffi would
 * make a Java thread for each callback and end it after. As in libfuse's loop, there is always a thread that takes the
 * next request, as long as there are not too many: others may be waiting for answers. Thread-safe.
 */
final class SessionLoop {
    private static final Logger LOG = LoggerFactory.getLogger(SessionLoop.class);

    /** Threads at most. When all are busy the kernel's callers wait in line; they can be killed there. */
    static final int MAX_THREADS = 256;

    private final LibFuse2 library;
    private final Pointer session;
    private final Pointer channel;
    private final LibFuseRequest request;
    private final long requestBytes;

    /** Threads that wait for requests beyond this number end. */
    private final int maxIdle;

    private final ThreadFactory makeThread;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    /** The following are guarded by this. */
    private int threads;

    /**
     * Threads that wait for requests, or are about to. One that leaves is not among them, or others would leave too.
     */
    private int idle;

    private boolean ending;
    private boolean lacksThreads;

    SessionLoop(
            LibFuse2 library,
            Pointer session,
            Pointer channel,
            LibFuseRequest request,
            int maxIdle,
            ThreadFactory makeThread) {
        this.library = library;
        this.session = session;
        this.channel = channel;
        this.request = request;
        this.requestBytes = library.fuse_chan_bufsize(channel);
        this.maxIdle = maxIdle;
        this.makeThread = makeThread;
    }

    /** Begins to serve. */
    synchronized void start() {
        startThread();
    }

    /** Done when the mount is gone and no thread is left. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    private void startThread() {
        makeThread.newThread(this::run).start();
        threads++;
        idle++;
    }

    private void run() {
        try {
            serve();
        } finally {
            leave();
        }
    }

    private void serve() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(requestBytes, Long.BYTES);
            Pointer buffer = pointer(memory);
            Pointer reference = pointer(arena.allocate(Long.BYTES, Long.BYTES));
            request.begin(memory);
            do {
                int length = receive(reference, buffer);
                if (length <= 0) {
                    end(length);
                    return;
                }
                busy();
                library.fuse_session_process(session, buffer, length, channel);
            } while (waitsAgain());
        }
    }

    private Pointer pointer(MemorySegment memory) {
        return Pointer.wrap(Runtime.getRuntime(library), memory.address());
    }

    /** A request's length; 0 when there will be none because the mount is gone, or a negative errno. */
    private int receive(Pointer reference, Pointer buffer) {
        while (true) {
            reference.putPointer(0, channel);
            int length = library.fuse_chan_recv(reference, buffer, requestBytes);
            if (length != -Errno.EINTR.number() && length != -Errno.EAGAIN.number()) {
                return length;
            }
        }
    }

    private synchronized void busy() {
        idle--;
        if (idle == 0 && threads < MAX_THREADS && !ending) {
            startAnother();
        }
    }

    /** Without one the next requests wait for a thread that is there; each of them tries again. */
    private void startAnother() {
        try {
            startThread();
        } catch (OutOfMemoryError e) {
            if (!lacksThreads) {
                LOG.warn("this machine gives no more threads: calls in the mount wait for one another", e);
            }
            lacksThreads = true;
        }
    }

    /** Whether the thread goes on. */
    private synchronized boolean waitsAgain() {
        boolean wanted = idle < maxIdle || ending;
        idle += wanted ? 1 : 0;
        return wanted;
    }

    private synchronized void end(int reason) {
        idle--;
        ending = true;
        if (reason < 0) {
            LOG.error("libfuse gives no more requests: {}", Errno.of(-reason));
        }
    }

    private void leave() {
        boolean last;
        synchronized (this) {
            threads--;
            last = threads == 0;
        }
        if (last) {
            ended.complete(null);
        }
    }
}
