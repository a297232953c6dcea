package org.beefs.honeybee.mount;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.beefs.common.linux.Libc;
import org.beefs.common.posix.Errno;

/**
 * A thread with a table of mounts of its own. What is mounted there nobody else sees, and it is gone when the thread
 * ends, also when that is because the process is killed. What is mounted and unmounted elsewhere is seen there too, so
 * that nothing is held up. Used by one thread.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/mount_namespaces.7.html">mount_namespaces(7)</a>
 */
public final class PrivateMounts implements AutoCloseable {
    private static final int CLONE_NEWNS = 0x20000;
    private static final int MS_REC = 0x4000;
    private static final int MS_SLAVE = 0x80000;

    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("fuse-aside").daemon().factory());

    private PrivateMounts() {}

    /** Work that is done in that thread. It leaves no thread and no program behind: these would keep the mounts. */
    public interface Work<T> {
        T run() throws IOException;
    }

    /** Fails with IOException where that is not allowed. */
    public static PrivateMounts open() throws IOException {
        PrivateMounts mounts = new PrivateMounts();
        try {
            mounts.call(PrivateMounts::separate);
            return mounts;
        } catch (IOException refused) {
            mounts.close();
            throw refused;
        }
    }

    private static int separate() throws IOException {
        check(Libc.unshare(CLONE_NEWNS));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment root = arena.allocateFrom("/");
            MemorySegment nothing = arena.allocateFrom("");
            return check(Libc.mount(nothing, root, nothing, MS_REC | MS_SLAVE, nothing));
        }
    }

    private static int check(int result) throws IOException {
        if (result < 0) {
            throw new IOException("there can be no mounts of its own: " + Errno.of(-result));
        }
        return result;
    }

    /** Does something in that thread, and waits for it. */
    public <T> T call(Work<T> work) throws IOException {
        CompletableFuture<T> result = new CompletableFuture<>();
        thread.execute(() -> {
            try {
                result.complete(work.run());
            } catch (Throwable failure) {
                result.completeExceptionally(failure);
            }
        });
        try {
            return result.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw failed;
        }
    }

    /** Unmounts all that is mounted there. Files that are open there stay in use. */
    @Override
    public void close() {
        thread.close();
    }
}
