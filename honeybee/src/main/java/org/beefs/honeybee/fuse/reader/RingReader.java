package org.beefs.honeybee.fuse.reader;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.beefs.common.linux.IoUring;
import org.beefs.common.linux.Processors;
import org.beefs.common.posix.Errno;
import org.beefs.honeybee.fuse.exchange.BufferPool;
import org.beefs.honeybee.fuse.exchange.Connection;
import org.beefs.honeybee.fuse.exchange.Device;
import org.beefs.honeybee.fuse.exchange.Exchange;
import org.beefs.honeybee.fuse.exchange.RequestBuffer;
import org.beefs.honeybee.fuse.operations.Dispatcher;
import org.beefs.honeybee.mount.Opcode;

/**
 * The sibling of {@link Reader} for one processor's ring: takes the requests that programs make on that processor, on
 * the same one, and begins their operations. An answer and the wait for the next request are one system call. Answers
 * that come on other threads are brought to this one, because the kernel finishes its part of an entry on the thread
 * that has submitted it. Waits for the kernel and local disks, never for buffers or the network: callers whose requests
 * are in a ring already cannot be killed before its thread looks at them.
 *
 * <p>An entry is taken until its request is answered. So the ring gets more before it runs out: else a waiting lock
 * could keep away the request that unlocks.
 */
public final class RingReader implements Runnable {
    /**
     * Entries of a ring that wait for requests, at least. When more requests come before the ring's thread gets to
     * look, the kernel keeps the others until any request on that processor is answered, even if there are more entries
     * by then. An entry that was never used costs some hundred bytes.
     */
    public static final int FREE = 128;

    /** Entries of a ring, at most. When all are in use, callers on that processor wait, where they can be killed. */
    private static final int MOST = 1024;

    /** Entries of a ring that keep the pages of a large payload. */
    private static final int WARM = 2;

    private static final int SUBMISSIONS = 64;
    private static final long WAKE_UP = -1;

    private static final byte OP_URING_CMD = 46;
    private static final int CMD_REGISTER = 1;
    private static final int CMD_COMMIT_AND_FETCH = 2;

    private final int processor;
    private final IoUring ring;
    private final Device device;
    private final Connection connection;
    private final Dispatcher dispatcher;
    private final BufferPool buffers;
    private final CompletableFuture<Void> registered = new CompletableFuture<>();

    /** Entries whose requests were answered on other threads; no more than there are entries. */
    private final Queue<RingEntry> answered = new ConcurrentLinkedQueue<>();

    /** Whether the thread may be waiting without looking at what was answered, and nobody wakes it yet. */
    private final AtomicBoolean asleep = new AtomicBoolean();

    private volatile boolean ended;

    /** The thread, as Linux numbers it; 0 before it begins and when it has ended: then answers go nowhere. */
    private volatile long thread;

    // Of the thread.
    private final List<RingEntry> entries = new ArrayList<>();
    private int free;
    private final Set<RingEntry> warm = new HashSet<>();

    /**
     * Takes over a hold of the device and the ring, and lets go of both at the end.
     *
     * @param processor whose requests come here
     */
    RingReader(
            int processor,
            IoUring ring,
            Device device,
            Connection connection,
            Dispatcher dispatcher,
            BufferPool buffers) {
        this.processor = processor;
        this.ring = ring;
        this.device = device;
        this.connection = connection;
        this.dispatcher = dispatcher;
        this.buffers = buffers;
    }

    /** An io_uring as a reader needs it. */
    static IoUring newRing() throws IOException {
        return IoUring.create(SUBMISSIONS, 2 * MOST, WAKE_UP);
    }

    /** Waits until the kernel has this ring, or has refused it. Requests come when it has those of all processors. */
    public void awaitRegistration() throws IOException {
        try {
            registered.join();
        } catch (CompletionException refused) {
            Throwable why = refused.getCause() == null ? refused : refused.getCause();
            throw new IOException(
                    "the kernel does not take the ring of processor %d: %s".formatted(processor, why.getMessage()),
                    why);
        }
    }

    @Override
    public void run() {
        thread = Thread.currentThread().threadId();
        try {
            register();
            registered.complete(null);
            while (!ended) {
                serve();
            }
        } catch (Throwable failure) {
            if (!registered.completeExceptionally(failure)) {
                throw new IllegalStateException("the ring of processor " + processor + " has failed", failure);
            }
        } finally {
            thread = 0;
            connection.end();
            ring.close();
            device.release();
        }
    }

    /** No requests come any more. On any thread. */
    public void end() {
        ended = true;
        ring.wake();
    }

    /** The answer to an entry's request is in it. On any thread. */
    void answered(RingEntry entry) {
        if (Thread.currentThread().threadId() == thread) {
            commit(entry);
        } else {
            answered.add(entry);
            if (asleep.get() && asleep.getAndSet(false)) {
                ring.wake();
            }
        }
    }

    /** Hands all entries to the kernel; those that it refuses come back at once. */
    private void register() throws IOException {
        // A processor that is not there has no requests; when it comes, they are served on others.
        Processors.bindThread(processor);
        ring.enable();
        add(RingEntry.make(FREE, 0, this));
        // With the last ring there may already be requests of programs that have waited for the mount.
        if (ring.hasNext() && ring.result() < 0) {
            throw new IOException("an entry comes back with " + Errno.of(-ring.result()));
        }
    }

    /** None when the system has no memory for them: the ring goes on with those that it has. */
    private List<RingEntry> moreEntries() {
        try {
            return RingEntry.make(Math.min(FREE, MOST - entries.size()), entries.size(), this);
        } catch (OutOfMemoryError none) {
            return List.of();
        }
    }

    private void add(List<RingEntry> added) {
        try (Arena arena = Arena.ofConfined()) {
            for (RingEntry entry : added) {
                entries.add(entry);
                MemorySegment submission = prepare(entry, CMD_REGISTER);
                submission.set(JAVA_LONG, 16, entry.vectors(arena).address());
                submission.set(JAVA_INT, 24, 2);
            }
            ring.submit();
        }
    }

    private void serve() {
        commitAnswered();
        if (ring.hasNext()) {
            take();
            if (ring.hasNext()) {
                // The caller of this one does not wait for the next one's answer.
                ring.submit();
            }
        } else {
            await();
        }
    }

    private void await() {
        asleep.set(true);
        if (answered.isEmpty() && !ended) {
            ring.submitAndWait();
        }
        asleep.set(false);
    }

    private void take() {
        long number = ring.userData();
        int result = ring.take();
        if (number == WAKE_UP) {
            return;
        }
        if (result < 0) {
            ended(Errno.of(-result));
            return;
        }
        free--;
        if (free < FREE && entries.size() < MOST) {
            add(moreEntries());
        }
        serve(entries.get((int) number));
    }

    /** An entry comes back without a request when the mount ends. */
    private void ended(Errno errno) {
        if (errno != Errno.ENOTCONN) {
            throw new IllegalStateException("the kernel gives an entry back with " + errno);
        }
        ended = true;
    }

    private void serve(RingEntry entry) {
        RequestBuffer request = entry.request();
        long length = request.memory().byteSize();
        if (request.opcode() == Opcode.WRITE.number()) {
            write(entry, request, length);
        } else {
            dispatch(entry, request, length);
        }
    }

    /**
     * The content is copied: when its caller is killed the kernel gets the entry back, and the content may be on its
     * way for longer.
     */
    private void write(RingEntry entry, RequestBuffer request, long length) {
        RequestBuffer buffer = buffers.takeNow(length);
        if (buffer == null) {
            new Exchange(connection, entry, request).fail(Errno.ENOMEM);
            return;
        }
        MemorySegment.copy(request.memory(), 0, buffer.memory(), 0, length);
        if (dispatch(entry, buffer, length).hasBuffer()) {
            buffers.give(buffer);
        }
    }

    private Exchange dispatch(RingEntry entry, RequestBuffer request, long length) {
        Exchange exchange = new Exchange(connection, entry, request);
        dispatcher.dispatch(exchange, request.body(length));
        return exchange;
    }

    private void commitAnswered() {
        RingEntry entry = answered.poll();
        while (entry != null) {
            commit(entry);
            entry = answered.poll();
        }
    }

    private void commit(RingEntry entry) {
        if (entry.isLarge() && !warm.contains(entry) && (warm.size() >= WARM || !warm.add(entry))) {
            entry.shrink();
        }
        MemorySegment submission = prepare(entry, CMD_COMMIT_AND_FETCH);
        submission.set(JAVA_LONG, 56, entry.commitId());
    }

    /** A command about an entry, which is the kernel's from the next call on. */
    private MemorySegment prepare(RingEntry entry, int command) {
        free++;
        MemorySegment submission = ring.prepare();
        submission.set(JAVA_BYTE, 0, OP_URING_CMD);
        submission.set(JAVA_INT, 4, device.descriptor());
        submission.set(JAVA_INT, 8, command);
        submission.set(JAVA_LONG, 32, entry.number());
        submission.set(JAVA_SHORT, 64, (short) processor);
        return submission;
    }
}
