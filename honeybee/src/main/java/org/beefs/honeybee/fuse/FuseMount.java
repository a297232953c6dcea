package org.beefs.honeybee.fuse;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.beefs.common.posix.Errno;
import org.beefs.common.time.Timers;
import org.beefs.honeybee.filesystem.FileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file system, mounted. From {@link #mount} on the kernel's requests are served until somebody unmounts it: {@link #close}
 * or anybody with umount(8). Thread-safe.
 *
 * <p>Handles that are open when it is taken away by force are never released one by one: whoever mounted gives up the file
 * system's handles when {@link #terminated} is done.
 */
public final class FuseMount implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FuseMount.class);

    private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(50);
    private static final Duration END_OF_READERS = Duration.ofSeconds(2);

    private final KernelMount mount;
    private final Connection connection;
    private final FuseOptions options;
    private final RequestCounts counts = new RequestCounts();
    private final CompletableFuture<Void> terminated = new CompletableFuture<>();
    private final AtomicInteger runningReaders = new AtomicInteger();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final List<Thread> threads = new ArrayList<>();

    private FuseMount(KernelMount mount, Connection connection, FuseOptions options) {
        this.mount = mount;
        this.connection = connection;
        this.options = options;
    }

    /**
     * Clears what a dead daemon left mounted there, and finds out whether a mount can be made.
     *
     * @throws IOException with a sentence for the user
     */
    public static void check(Path target) throws IOException {
        MountPoint.prepare(target);
    }

    /**
     * Mounts at an empty directory; clears what a dead daemon left mounted there. Answers when requests are being served.
     *
     * @throws IOException with a sentence for the user
     */
    public static FuseMount mount(Path target, FileSystem fileSystem, FuseOptions options, Timers timers)
            throws IOException {
        KernelMount.Mounted mounted = KernelMount.mount(MountPoint.prepare(target), options);
        return serve(mounted.mount(), mounted.device(), fileSystem, options, timers);
    }

    /** Begins to serve a new mount; takes it back if that fails. */
    private static FuseMount serve(
            KernelMount mount, Device device, FileSystem fileSystem, FuseOptions options, Timers timers)
            throws IOException {
        Callers callers = new ProcCallers();
        Connection connection = new Connection(callers, new Interrupts(callers, timers));
        FuseMount served = new FuseMount(mount, connection, options);
        // One buffer for each reader, beside those that writes may hold.
        BufferPool buffers = new BufferPool(options.readers() + options.writeBuffers());
        List<Device> devices = new ArrayList<>(List.of(device));
        Negotiation.Agreement agreed;
        try {
            agreed = negotiate(mount, device, options, buffers);
            mount.setReadAhead(options.readAhead());
            devices.addAll(KernelMount.cloneDevice(device, options.readers() - 1));
            while (devices.size() < options.readers()) {
                device.hold();
                devices.add(device);
            }
        } catch (IOException | RuntimeException failure) {
            mount.unmountByForce();
            devices.forEach(Device::release);
            throw failure;
        }
        PageDropper dropper = new PageDropper(device, timers);
        KeptPages pages = new KeptPages(dropper::drop);
        Notifier notifier = new Notifier(device, agreed.minor(), pages);
        KernelState kernel = new KernelState(fileSystem.keptBy(notifier), notifier, pages);
        served.terminated.thenRun(() -> {
            kernel.lifetimes().close();
            notifier.close();
            dropper.close();
        });
        BackingFiles backings = new BackingFiles(fileSystem, device, agreed.has(Protocol.INIT_PASSTHROUGH));
        Dispatcher dispatcher =
                new Dispatcher(fileSystem, kernel, connection.interrupts(), buffers, backings, served.counts);
        served.start(devices.stream()
                .map(own -> new Reader(own, connection, dispatcher, buffers))
                .toList());
        return served;
    }

    private static Negotiation.Agreement negotiate(
            KernelMount mount, Device device, FuseOptions options, BufferPool buffers) throws IOException {
        RequestBuffer buffer = buffers.takeNow();
        if (buffer == null) {
            throw new IllegalStateException("a new pool has no buffer");
        }
        try {
            return new Negotiation(device, options, mount.ofRoot(), buffer).run();
        } finally {
            buffers.give(buffer);
        }
    }

    private void start(List<Reader> readers) {
        runningReaders.set(readers.size());
        for (Reader reader : readers) {
            threads.add(Thread.ofPlatform()
                    .name("fuse-reader-" + threads.size())
                    .daemon()
                    .unstarted(() -> run(reader)));
        }
        threads.forEach(Thread::start);
    }

    private void run(Reader reader) {
        try {
            reader.run();
        } finally {
            if (runningReaders.decrementAndGet() == 0) {
                connection.interrupts().abandonAll();
                LOG.info("{} is unmounted", mount.point());
                terminated.complete(null);
            }
        }
    }

    /** Where it is mounted, without symbolic links. */
    public Path target() {
        return mount.point();
    }

    /** What the user has to do without because he is not root; a line for him. */
    public Optional<String> limits() {
        if (mount.ofRoot()) {
            return Optional.empty();
        }
        String others = options.allowOther() ? "" : ", and no other user, not even root, can look into it";
        return Optional.of(mount.point() + " is mounted without root: contents go through the daemon, which is slower,"
                + " set-user-id programs and device files do not work there" + others);
    }

    /** How it was asked for. */
    public FuseOptions options() {
        return options;
    }

    /** How often the kernel has asked for what, by the names of the kernel's operations. */
    public Map<String, Long> requests() {
        return counts.toMap();
    }

    /** Done when the kernel has ended the mount and no request is served any more. Never fails. */
    public CompletableFuture<Void> terminated() {
        return terminated.copy();
    }

    /**
     * Unmounts. Programs that still use the mount are waited for, for the time that the options say; then what they have open
     * fails. Harmless when somebody has unmounted already, or when called again.
     */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true) || terminated.isDone()) {
            return;
        }
        try {
            if (!unmountGently() && mount.isPresent()) {
                LOG.warn("{} is still in use and is taken away from its users", mount.point());
                mount.unmountByForce();
                connection.end();
            }
            if (!isTerminatedWithin(END_OF_READERS)) {
                mount.abort();
                connection.end();
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
        long attempts = 1 + options.unmountPatience().dividedBy(BETWEEN_ATTEMPTS);
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
     * The kernel writes all dirty pages first and waits for it, which takes for ever when their honeycomb does not answer. It
     * lets go when the mount is ended by force.
     */
    private int unmountInBackground() {
        FutureTask<Integer> attempt = new FutureTask<>(mount::unmount);
        Thread.ofPlatform().name("unmount").daemon().start(attempt);
        try {
            return attempt.get(Math.max(1, options.unmountPatience().toMillis()), TimeUnit.MILLISECONDS);
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
