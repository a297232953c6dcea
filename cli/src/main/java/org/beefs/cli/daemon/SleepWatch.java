package org.beefs.cli.daemon;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.beefs.common.time.ProductionOnly;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has systemd-logind wait, when the machine is to sleep or to shut down, until this daemon has finished what is in
 * flight. The lock and the signals are held and heard by logind's own programs as children of this process. Each ends
 * when its standard input does, so none outlives this process, however that ends. When the signals end, as with a
 * system bus that is restarted, they are listened to again after a pause. Where there is no logind nothing happens.
 * Thread-safe.
 */
@ProductionOnly
final class SleepWatch implements AutoCloseable {
    /** Where it is on each Linux with D-Bus; without it nobody can be asked. */
    static final Path SYSTEM_BUS = Path.of("/run/dbus/system_bus_socket");

    /** Less than the 5 s for which logind waits (InhibitDelayMaxSec). */
    private static final Duration MOST_DELAY = Duration.ofSeconds(4);

    /** Between the end of the signals and the next attempt to hear them. */
    private static final Duration PAUSE = Duration.ofSeconds(30);

    private static final String SLEEP = "org.freedesktop.login1.Manager.PrepareForSleep";
    private static final String SHUTDOWN = "org.freedesktop.login1.Manager.PrepareForShutdown";
    private static final Logger LOG = LoggerFactory.getLogger(SleepWatch.class);

    /** Who is told. */
    interface Sleeper {
        /** The machine is about to sleep or shut down; done when it may. */
        CompletableFuture<Void> rest();

        /** It has slept, or is not going to. */
        void wake();
    }

    /**
     * Commands, which end when their standard input does.
     *
     * @param lock holds the lock as long as it runs
     * @param signals prints a line for each signal of logind
     */
    record Programs(List<String> lock, List<String> signals) {
        static Programs ofSystemd() {
            return new Programs(
                    List.of(
                            "systemd-inhibit",
                            "--what=sleep:shutdown",
                            "--mode=delay",
                            "--who=BeeFS",
                            "--why=Finishing writes and saying goodbye to the hive",
                            "cat"),
                    untilInputEnds(
                            "gdbus monitor --system --dest org.freedesktop.login1 --object-path /org/freedesktop/login1"));
        }

        /**
         * A program that knows nothing of its input; the shell waits for it, so that nobody else has its number when it
         * is ended.
         */
        static List<String> untilInputEnds(String program) {
            return List.of(
                    "sh",
                    "-c",
                    "exec 3<&0; %s & program=$!; { cat; kill $program; } <&3 >/dev/null 2>&1 & guard=$!; wait $program; kill $guard"
                            .formatted(program));
        }
    }

    private final Programs programs;
    private final Duration pause;
    private final Sleeper sleeper;
    private final CountDownLatch closed = new CountDownLatch(1);

    // Guarded by this.
    private @Nullable Process lock;
    /** Whether it was held at least once, and nobody was told since that it cannot be taken any more. */
    private boolean wasLocked;

    private @Nullable Process signals;

    private SleepWatch(Programs programs, Duration pause, Sleeper sleeper) {
        this.programs = programs;
        this.pause = pause;
        this.sleeper = sleeper;
    }

    /** Begins to listen, if there is a system bus at all. */
    static SleepWatch start(Sleeper sleeper) {
        SleepWatch watch = new SleepWatch(Programs.ofSystemd(), PAUSE, sleeper);
        if (Files.exists(SYSTEM_BUS)) {
            watch.begin();
        } else {
            LOG.debug("there is no system bus: nobody tells when this machine sleeps");
        }
        return watch;
    }

    /** Begins to listen to other programs. */
    static SleepWatch start(Programs programs, Sleeper sleeper) {
        return start(programs, PAUSE, sleeper);
    }

    /** @param pause after the end of the signals, before it listens again */
    static SleepWatch start(Programs programs, Duration pause, Sleeper sleeper) {
        SleepWatch watch = new SleepWatch(programs, pause, sleeper);
        watch.begin();
        return watch;
    }

    private void begin() {
        Thread.ofPlatform().daemon().name("beefs-sleep").start(this::keepListening);
    }

    /** Only where there was ever something to hear: otherwise a program is missing. */
    private void keepListening() {
        boolean known = false;
        do {
            boolean heard = listen();
            known |= heard;
            if (heard && !isClosed()) {
                LOG.warn(
                        "sleep of this machine is not noticed for now: who told of it has ended; tried again every {} s",
                        pause.toSeconds());
            }
        } while (known && !isClosedAfterPause());
        LOG.debug("nobody tells any more when this machine sleeps");
    }

    /** Listens to the end, and answers whether anything was told at all. */
    private boolean listen() {
        Process source = open();
        if (source == null) {
            return false;
        }
        boolean heard = false;
        try (BufferedReader lines = source.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                heard = true;
                hear(line);
            }
        } catch (IOException e) {
            LOG.debug("logind's signals: {}", e.toString());
        }
        end();
        return heard;
    }

    private synchronized @Nullable Process open() {
        if (isClosed()) {
            return null;
        }
        signals = run(programs.signals(), Redirect.PIPE);
        if (signals != null) {
            takeLock();
        }
        return signals;
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    private boolean isClosedAfterPause() {
        try {
            return closed.await(pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private void hear(String line) {
        if (!line.contains(SLEEP) && !line.contains(SHUTDOWN)) {
            return;
        }
        if (line.contains("(true")) {
            LOG.info("this machine is about to sleep or shut down");
            await(sleeper.rest());
            releaseLock();
        } else {
            takeLock();
            sleeper.wake();
        }
    }

    private static void await(CompletableFuture<Void> rested) {
        try {
            rested.get(MOST_DELAY.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            LOG.warn("not all that is in flight was finished before this machine sleeps: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void takeLock() {
        if (!isClosed() && lock == null) {
            lock = run(programs.lock(), Redirect.DISCARD);
            if (lock == null && wasLocked) {
                LOG.warn(
                        "this machine does not wait for this daemon any more when it sleeps, because programs cannot be "
                                + "started: restart it");
            }
            wasLocked = lock != null;
        }
    }

    private synchronized void releaseLock() {
        end(lock);
        lock = null;
    }

    @Override
    public void close() {
        closed.countDown();
        end();
    }

    private synchronized void end() {
        releaseLock();
        end(signals);
    }

    /** Null if it cannot be run here. */
    private static @Nullable Process run(List<String> command, Redirect output) {
        try {
            return new ProcessBuilder(command)
                    .redirectOutput(output)
                    .redirectError(Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            LOG.debug("there is no logind to wait for this daemon: {}", e.getMessage());
            return null;
        }
    }

    private static void end(@Nullable Process program) {
        if (program == null) {
            return;
        }
        try {
            program.getOutputStream().close();
        } catch (IOException e) {
            LOG.debug("{} has ended already", program.pid());
        }
    }
}
