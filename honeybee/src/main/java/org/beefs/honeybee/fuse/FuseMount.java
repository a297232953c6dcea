package org.beefs.honeybee.fuse;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.beefs.common.metrics.Latencies.Reading;
import org.beefs.common.time.Timers;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.fuse.exchange.Connection;
import org.beefs.honeybee.fuse.reader.Reader;
import org.beefs.honeybee.fuse.reader.RingReader;
import org.beefs.honeybee.fuse.reader.Rings;
import org.beefs.honeybee.mount.Driver;
import org.beefs.honeybee.mount.KernelMount;
import org.beefs.honeybee.mount.Mount;
import org.beefs.honeybee.mount.MountOptions;
import org.beefs.honeybee.mount.MountPoint;
import org.beefs.honeybee.mount.OpenPlace;
import org.beefs.honeybee.mount.RequestMeter;
import org.beefs.honeybee.mount.RequestMeter.Opens;
import org.beefs.honeybee.mount.Unmounting;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file system, mounted. From {@link #mount} on the kernel's requests are served until somebody unmounts it:
 * {@link #close} or anybody with umount(8). Thread-safe.
 *
 * <p>Handles that are open when it is taken away by force are never released one by one: whoever mounted gives up the
 * file system's handles when {@link #terminated} is done.
 */
public final class FuseMount implements Mount {
    private static final Logger LOG = LoggerFactory.getLogger(FuseMount.class);

    private final KernelMount mount;
    private final Connection connection;
    private final MountOptions options;
    private final RequestMeter meter;
    private final CompletableFuture<Void> terminated = new CompletableFuture<>();
    private final AtomicInteger running = new AtomicInteger();
    private final Unmounting unmounting;

    /** The threads of the rings; none when only readers serve the mount. */
    private volatile List<RingReader> ringReaders = List.of();

    /** A mount that is about to be served. */
    FuseMount(KernelMount mount, Connection connection, RequestMeter meter, MountOptions options) {
        this.mount = mount;
        this.connection = connection;
        this.meter = meter;
        this.options = options;
        this.unmounting = new Unmounting(mount, options.unmountPatience(), terminated, connection::end);
    }

    /**
     * Mounts at an empty directory; clears what a dead daemon left mounted there. Answers when requests are being
     * served.
     *
     * @param target without symbolic links: one that leads there was perhaps put in its place by somebody else
     * @throws IOException with a sentence for the user
     */
    public static FuseMount mount(Path target, FileSystem fileSystem, MountOptions options, Timers timers)
            throws IOException {
        try (OpenPlace place = MountPoint.open(target)) {
            Rings rings = Rings.open(options.driver() == Driver.RINGS);
            return new Mounting(place, rings, fileSystem, options, timers).run();
        }
    }

    /** Something to be done when nobody serves the mount any more. */
    void whenTerminated(Runnable end) {
        terminated.thenRun(end);
    }

    /** Begins to serve it, until it is unmounted. Fails when this machine gives no threads; some may serve then. */
    void start(List<Reader> readers, List<RingReader> forRings) {
        ringReaders = forRings;
        if (!forRings.isEmpty()) {
            connection.interrupts().watch();
        }
        running.set(readers.size() + forRings.size());
        List<Runnable> all = new ArrayList<>(readers);
        all.addAll(forRings);
        for (int i = 0; i < all.size(); i++) {
            Runnable work = all.get(i);
            try {
                Thread.ofPlatform().name("fuse-reader-" + i).daemon().start(() -> run(work));
            } catch (OutOfMemoryError noThread) {
                ended(all.size() - i);
                throw noThread;
            }
        }
    }

    /** Waits until the kernel has all rings, before which no request comes. Fails if it does not take one. */
    void awaitRings() throws IOException {
        for (RingReader ring : ringReaders) {
            ring.awaitRegistration();
        }
    }

    private void run(Runnable reader) {
        try {
            reader.run();
        } catch (Throwable defect) {
            LOG.error("{} is unmounted, because nobody serves it well any more", mount.point(), defect);
            Thread.ofPlatform().name("unmount-defect").daemon().start(this::close);
        } finally {
            ringReaders.forEach(RingReader::end);
            ended(1);
        }
    }

    private void ended(int readers) {
        if (running.addAndGet(-readers) == 0) {
            connection.interrupts().abandonAll();
            LOG.info("{} is unmounted", mount.point());
            terminated.complete(null);
        }
    }

    @Override
    public Path target() {
        return mount.point();
    }

    @Override
    public String service() {
        return ringReaders.isEmpty() ? "native, readers" : "native, %d rings".formatted(ringReaders.size());
    }

    @Override
    public Optional<String> limits() {
        return mount.limits(options);
    }

    @Override
    public MountOptions options() {
        return options;
    }

    @Override
    public Map<String, Long> requests() {
        return meter.counts();
    }

    @Override
    public SortedMap<String, Reading> times() {
        return meter.times();
    }

    @Override
    public Opens opens() {
        return meter.opens();
    }

    @Override
    public CompletableFuture<Void> terminated() {
        return terminated.copy();
    }

    @Override
    public void close() {
        unmounting.run();
    }
}
