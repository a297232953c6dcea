package org.beefs.honeybee.fuse.notification;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.beefs.honeybee.fuse.exchange.Device;

/**
 * Writes notifications to the kernel. While it works on one it holds a lock against the end of the file system, and one
 * about pages is held up for as long as a page of the file is being read. If the last user of the mount goes meanwhile,
 * the kernel waits to end the file system, and all further notifications wait behind that. No thread that answers
 * requests may wait there, because the read that all of them wait for would never be answered. So while one about pages
 * is written, others are written by a thread of their own, which is waited for a moment only: what takes longer is
 * about a mount that nobody uses any more. Thread-safe.
 */
public final class NotificationWriter implements AutoCloseable {
    /** Far longer than the kernel takes for a notification that waits for nobody. */
    private static final Duration MOMENT = Duration.ofMillis(500);

    private final Device device;
    private final ThreadPoolExecutor aside;

    // Guarded by this.
    private int patient;
    private CompletableFuture<Boolean> latest = CompletableFuture.completedFuture(true);

    /** Becomes a holder of the device. */
    public NotificationWriter(Device device) {
        this(device, work -> Thread.ofPlatform().name("fuse-notes").daemon().unstarted(work));
    }

    /**
     * Makes its thread at once, and keeps it: a machine on which no thread can be made is no reason to let programs use
     * what is not true any more.
     */
    NotificationWriter(Device device, ThreadFactory threads) {
        this.device = device;
        this.aside = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(1), threads);
        aside.prestartCoreThread();
        device.hold();
    }

    /** Writes one that may be held up by reads; not for threads that answer them. */
    void writePatiently(MemorySegment message, int length) {
        synchronized (this) {
            patient++;
        }
        try {
            writeIfOpen(message, length);
        } finally {
            synchronized (this) {
                patient--;
            }
        }
    }

    /** Writes one that waits for nobody. False when the kernel does not take it. */
    synchronized boolean write(MemorySegment message, int length) {
        return isHeldUp() ? writeAside(message, length) : writeIfOpen(message, length);
    }

    /** Whether one is being written that may be held up by reads. */
    synchronized boolean isHeldUp() {
        return patient > 0;
    }

    /**
     * Writes in a thread of its own, which is waited for a moment only. The next one is not written before the latest
     * has been: it would not be either.
     */
    private boolean writeAside(MemorySegment message, int length) {
        if (!latest.isDone()) {
            return false;
        }
        byte[] content = message.asSlice(0, length).toArray(JAVA_BYTE);
        try {
            latest = CompletableFuture.supplyAsync(() -> writeNow(content), aside);
            return latest.get(MOMENT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (RejectedExecutionException | TimeoutException | ExecutionException e) {
            return false;
        }
    }

    private boolean writeNow(byte[] content) {
        try (Arena arena = Arena.ofConfined()) {
            return writeIfOpen(arena.allocateFrom(JAVA_BYTE, content), content.length);
        }
    }

    /**
     * Writes, unless the device is closed: others may write on when this is closed, and it must not be closed under
     * them.
     */
    private boolean writeIfOpen(MemorySegment message, int length) {
        if (!device.holdIfOpen()) {
            return false;
        }
        try {
            return device.write(message, length) >= 0;
        } finally {
            device.release();
        }
    }

    /** The mount has gone. Nothing is written any more. */
    @Override
    public void close() {
        aside.shutdown();
        device.release();
    }
}
