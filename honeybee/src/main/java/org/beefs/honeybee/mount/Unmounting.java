package org.beefs.honeybee.mount;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.beefs.common.posix.Errno;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How this process ends a mount: politely, then by force. Thread-safe. */
public final class Unmounting {
    private static final Logger LOG = LoggerFactory.getLogger(Unmounting.class);

    private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(50);
    private static final Duration END_OF_READERS = Duration.ofSeconds(2);

    private final SystemMount mount;
    private final Duration patience;
    private final CompletableFuture<Void> terminated;
    private final Runnable endOfRequests;
    private final AtomicBoolean begun = new AtomicBoolean();

    /**
     * @param patience how long programs that use the mount are waited for
     * @param terminated done when nobody serves the mount any more; then it is released
     * @param endOfRequests lets all go who serve the mount and wait for something else than its requests
     */
    public Unmounting(
            SystemMount mount, Duration patience, CompletableFuture<Void> terminated, Runnable endOfRequests) {
        this.mount = mount;
        this.patience = patience;
        this.terminated = terminated;
        this.endOfRequests = endOfRequests;
        terminated.thenRun(mount::release);
    }

    /** As {@link Mount#close}. */
    public void run() {
        if (!begun.compareAndSet(false, true) || terminated.isDone()) {
            return;
        }
        try {
            if (!unmountGently() && mount.isPresent()) {
                LOG.warn("{} is still in use and is taken away from its users", mount.point());
                mount.unmountByForce();
                endOfRequests.run();
            }
            if (!isTerminatedWithin(END_OF_READERS)) {
                mount.abort();
                endOfRequests.run();
            }
        } catch (IOException failure) {
            LOG.error("unmounting {} failed", mount.point(), failure);
        }
        if (!isTerminatedWithin(END_OF_READERS)) {
            LOG.error("{} cannot be unmounted: its users keep it", mount.point());
        }
    }

    /** Whether it is unmounted; tries until the patience is over. */
    private boolean unmountGently() throws IOException {
        long attempts = 1 + patience.dividedBy(BETWEEN_ATTEMPTS);
        for (long attempt = 0; attempt < attempts && mount.isPresent(); attempt++) {
            int result = unmountInBackground();
            if (result == 0) {
                return true;
            }
            if (result != -Errno.EBUSY.number() || isTerminatedWithin(BETWEEN_ATTEMPTS)) {
                return false;
            }
        }
        return false;
    }

    /**
     * Unmounts in another thread: the kernel writes all dirty pages first and waits for it, which takes for ever when
     * their honeycomb does not answer. It lets go when the mount is ended by force.
     */
    private int unmountInBackground() {
        FutureTask<Integer> attempt = new FutureTask<>(mount::unmount);
        Thread.ofPlatform().name("unmount").daemon().start(attempt);
        try {
            return attempt.get(Math.max(1, patience.toMillis()), TimeUnit.MILLISECONDS);
        } catch (TimeoutException stuck) {
            return -Errno.ETIMEDOUT.number();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return -Errno.EINTR.number();
        } catch (ExecutionException defect) {
            throw new IllegalStateException(defect);
        }
    }

    private boolean isTerminatedWithin(Duration time) {
        try {
            terminated.get(time.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        } catch (TimeoutException | ExecutionException running) {
            return false;
        }
    }
}
