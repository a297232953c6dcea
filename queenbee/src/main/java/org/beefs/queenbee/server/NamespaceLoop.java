package org.beefs.queenbee.server;

import java.util.concurrent.locks.LockSupport;
import org.beefs.common.time.ProductionOnly;

/** The namespace thread: runs passes while there is work, and sleeps otherwise. {@link #wake} is thread-safe. */
@ProductionOnly
final class NamespaceLoop implements AutoCloseable {
    private volatile boolean closed;
    private volatile Thread thread = Thread.currentThread();

    /** Begins to run the queen-bee's passes. */
    void start(QueenBee queenBee) {
        thread = Thread.ofPlatform().name("beefs-namespace").unstarted(() -> run(queenBee));
        thread.start();
    }

    /** A permit to go on is kept when the thread is not asleep, so that no call is lost. */
    void wake() {
        LockSupport.unpark(thread);
    }

    /** Waits for the end of the running pass. */
    @Override
    public void close() {
        closed = true;
        wake();
        boolean interrupted = false;
        while (thread.isAlive() && !thread.equals(Thread.currentThread())) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(QueenBee queenBee) {
        while (!closed) {
            if (queenBee.hasWork()) {
                queenBee.runPass();
            } else {
                LockSupport.park(queenBee);
            }
        }
    }
}
