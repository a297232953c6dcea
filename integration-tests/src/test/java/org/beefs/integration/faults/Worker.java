package org.beefs.integration.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.beefs.common.posix.PosixException;
import org.beefs.integration.linux.Descriptors;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.program.Await;
import org.jspecify.annotations.Nullable;

/**
 * A client that works in a folder of its own and remembers what was acknowledged. One thread works, another one asks.
 */
public final class Worker {
    /** Longer than the patience of a mount with those that are away. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Path mount;
    private final String folder;
    private final boolean toleratesErrors;
    private final SplittableRandom random;
    private final List<TrackedFile> files = new ArrayList<>();
    private final TrackedLog log = new TrackedLog();
    private final AtomicInteger acknowledgements = new AtomicInteger();
    private final Thread thread;
    private volatile boolean ended;
    private volatile @Nullable Throwable failure;

    /** One that takes every error for a failure of the hive, unless its own desktop is going to be killed. */
    public Worker(Path mount, String folder, boolean toleratesErrors, long seed) {
        this.mount = mount;
        this.folder = folder;
        this.toleratesErrors = toleratesErrors;
        this.random = new SplittableRandom(seed);
        Posix.mkdir(mount.resolve(folder), 0755);
        this.thread = Thread.ofPlatform().name(folder).start(this::work);
    }

    /** How many calls have come back with success. */
    public int acknowledgements() {
        return acknowledgements.get();
    }

    /** Fails when the worker has failed. */
    public void check() {
        Throwable thrown = failure;
        if (thrown != null) {
            throw new AssertionError("worker " + folder + " on " + mount + " failed: " + thrown.getMessage(), thrown);
        }
    }

    /** Lets it end what it is doing, and waits for that. */
    public void end() {
        ended = true;
        try {
            thread.join(PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("the test was interrupted", e);
        }
        if (thread.isAlive()) {
            throw new AssertionError("a call of worker " + folder + " on " + mount + " never comes back");
        }
        check();
    }

    /** Compares all that was acknowledged with what a mount shows. */
    public void verify(Path throughMount) {
        files.forEach(file -> file.verify(throughMount.resolve(folder)));
        log.verify(throughMount.resolve(folder));
    }

    /** With descriptors of its own: starting the role that a file waits for would otherwise wait for that file. */
    private void work() {
        try {
            Descriptors.keepApart();
            for (int number = 0; !ended; number++) {
                workOnce(number);
            }
        } catch (RuntimeException | Error e) {
            failure = e;
        }
    }

    private void workOnce(int number) {
        TrackedFile file = new TrackedFile(number, random);
        files.add(file);
        try {
            file.live(mount.resolve(folder), acknowledgements::incrementAndGet);
            log.append(mount.resolve(folder));
            acknowledgements.incrementAndGet();
        } catch (PosixException e) {
            if (!toleratesErrors) {
                throw e;
            }
            Await.until(PATIENCE, mount + " works again", () -> ended || isMounted());
        }
    }

    /** Asks what always comes to the daemon: the kernel remembers attributes, also of a dead mount. */
    private boolean isMounted() {
        try {
            Posix.statvfs(mount.resolve(folder));
            return true;
        } catch (PosixException notYet) {
            return false;
        }
    }
}
