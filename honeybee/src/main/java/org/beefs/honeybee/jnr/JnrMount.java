package org.beefs.honeybee.jnr;

import static java.lang.foreign.ValueLayout.ADDRESS;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import jnr.ffi.Struct;
import org.beefs.common.metrics.Latencies.Reading;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.mount.Mount;
import org.beefs.honeybee.mount.MountOptions;
import org.beefs.honeybee.mount.Opcode;
import org.beefs.honeybee.mount.RequestMeter.Opens;
import org.beefs.honeybee.mount.SystemMount;
import org.beefs.honeybee.mount.Unmounting;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file system, mounted through jnr-fuse. Thread-safe.
 *
 * <p>As with the native driver, handles that are open when it is taken away by force are never released one by one.
 */
public final class JnrMount implements Mount {
    private static final ThreadFactory THREADS =
            Thread.ofPlatform().name("jnr-fuse-", 0).daemon().factory();
    private static final Logger LOG = LoggerFactory.getLogger(JnrMount.class);

    private final Platform platform;
    private final MountOptions options;
    private final Adapter adapter;
    private final SystemMount mount;
    private final CompletableFuture<Void> terminated = new CompletableFuture<>();
    private final Unmounting unmounting;

    private JnrMount(Platform platform, MountOptions options, Adapter adapter, SystemMount mount) {
        this.platform = platform;
        this.options = options;
        this.adapter = adapter;
        this.mount = mount;
        this.unmounting = new Unmounting(mount, options.unmountPatience(), terminated, adapter::end);
    }

    /**
     * Mounts at an empty directory; clears what a dead daemon left mounted there. Answers when requests are being
     * served.
     *
     * @throws IOException with a sentence for the user
     */
    public static Mount mount(Path target, FileSystem fileSystem, MountOptions options) throws IOException {
        Platform platform = Platform.current();
        LibFuse2 library = load(platform);
        Path point = platform.prepare(target);
        Adapter adapter = new Adapter(library, platform, fileSystem);
        return platform.servesByItself()
                ? runWhole(platform, library, point, adapter, options)
                : serve(platform, library, point, adapter, options);
    }

    private static LibFuse2 load(Platform platform) throws IOException {
        Throwable missing = null;
        for (String name : platform.libraries()) {
            try {
                return LibraryLoader.create(LibFuse2.class).failImmediately().load(name);
            } catch (LinkageError | RuntimeException failure) {
                missing = failure;
            }
        }
        throw new IOException(
                "the jnr driver needs libfuse 2, and it is not installed (Debian: libfuse2t64 or libfuse2)", missing);
    }

    private static Mount serve(Platform platform, LibFuse2 library, Path point, Adapter adapter, MountOptions options)
            throws IOException {
        Pointer fuse =
                setUp(library, adapter, List.of("beefs", "-f", "-o", platform.options(options), point.toString()));
        if (fuse == null) {
            throw new IOException("cannot mount at " + point
                    + " through libfuse 2: is the kernel's fuse module loaded, and is this process allowed to mount?");
        }
        Pointer session = library.fuse_get_session(fuse);
        Pointer channel = library.fuse_session_next_chan(session, null);
        SessionLoop loop = new SessionLoop(library, session, channel, adapter.request(), options.readers(), THREADS);
        try {
            SystemMount mount = platform.mounted(point, () -> library.fuse_session_exit(session));
            requireThere(mount, point);
            JnrMount served = new JnrMount(platform, options, adapter, mount);
            loop.ended().thenRun(() -> {
                library.fuse_destroy(fuse);
                served.end();
            });
            loop.start();
            return served;
        } catch (IOException | RuntimeException | OutOfMemoryError failure) {
            library.fuse_destroy(fuse); // calls in a mount without its channel fail, and wait for nobody
            throw failure;
        }
    }

    /** libfuse finds the place anew, and follows what somebody who owns a folder on the way has put there meanwhile. */
    private static void requireThere(SystemMount mount, Path point) throws IOException {
        if (!mount.isPresent()) {
            throw new IOException(
                    "cannot mount at " + point + ": a link was put there meanwhile, or somebody has unmounted it");
        }
    }

    /** Where libfuse does it all in one call, on threads of its own. */
    private static Mount runWhole(
            Platform platform, LibFuse2 library, Path point, Adapter adapter, MountOptions options) throws IOException {
        String[] arguments = {"beefs", "-f", "-o", platform.options(options), point.toString()};
        SystemMount mount = platform.mounted(point, adapter::exit);
        JnrMount served = new JnrMount(platform, options, adapter, mount);
        Thread.ofPlatform().name("jnr-fuse").daemon().start(() -> {
            int size = Struct.size(adapter.operations());
            int result = library.fuse_main_real(arguments.length, arguments, adapter.operations(), size, null);
            if (result != 0) {
                LOG.error("libfuse has ended with {}", result);
            }
            served.end();
        });
        return served;
    }

    private static @Nullable Pointer setUp(LibFuse2 library, Adapter adapter, List<String> words) {
        Runtime runtime = Runtime.getRuntime(library);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment arguments = arena.allocate(ADDRESS, words.size() + 1L);
            for (int i = 0; i < words.size(); i++) {
                arguments.setAtIndex(ADDRESS, i, arena.allocateFrom(words.get(i)));
            }
            // Where libfuse tells the mount point and whether to use threads, both known.
            long told = arena.allocate(2 * ADDRESS.byteSize(), ADDRESS.byteAlignment())
                    .address();
            return library.fuse_setup(
                    words.size(),
                    Pointer.wrap(runtime, arguments.address()),
                    adapter.memory(),
                    Struct.size(adapter.operations()),
                    Pointer.wrap(runtime, told),
                    Pointer.wrap(runtime, told + ADDRESS.byteSize()),
                    null);
        }
    }

    private void end() {
        adapter.end();
        LOG.info("{} is unmounted", mount.point());
        terminated.complete(null);
    }

    @Override
    public Path target() {
        return mount.point();
    }

    @Override
    public MountOptions options() {
        return options;
    }

    @Override
    public String service() {
        return "jnr";
    }

    @Override
    public Optional<String> limits() {
        return platform.limits(mount, options);
    }

    @Override
    public Map<String, Long> requests() {
        return adapter.meter().counts();
    }

    @Override
    public SortedMap<String, Reading> times() {
        return adapter.meter().times();
    }

    /** libfuse 2 knows one way only. */
    @Override
    public Opens opens() {
        Map<String, Long> counts = requests();
        return new Opens(
                0, counts.getOrDefault(Opcode.OPEN.name(), 0L) + counts.getOrDefault(Opcode.CREATE.name(), 0L));
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
