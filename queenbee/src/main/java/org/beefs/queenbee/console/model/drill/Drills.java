package org.beefs.queenbee.console.model.drill;

import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.common.time.Pause;
import org.beefs.common.time.Timers;
import org.beefs.queenbee.console.file.JsonFile;
import org.beefs.queenbee.console.model.event.EventLog;
import org.beefs.queenbee.console.model.question.Questions;
import org.beefs.queenbee.console.model.question.Scans;
import org.beefs.queenbee.recovery.CatalogAccess;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drills of a recovery, one at a time, each within {@link #LONGEST}; the last result is kept in {@code drill.json}. Who
 * has begun and ended one, and how it went, is recorded. Thread-safe.
 */
public final class Drills {
    private static final Duration LONGEST = Duration.ofMinutes(30);
    private static final Logger LOG = LoggerFactory.getLogger(Drills.class);

    /**
     * What a drill works with.
     *
     * @param catalogs reaches honeycombs, for one drill
     * @param executor runs it, which takes a while
     * @param pause lets it rest
     * @param freeMemory bytes of heap that it may take
     */
    public record World(Supplier<CatalogAccess> catalogs, Executor executor, Pause pause, LongSupplier freeMemory) {}

    private final Questions questions;
    private final Scans scans;
    private final World world;
    private final EventLog events;
    private final Clock clock;
    private final Timers timers;
    private final Runnable show;
    private final JsonFile<DrillView> file;

    // Guarded by this.
    private DrillView view;
    private DrillView lastResult;
    private @Nullable Thread runner;
    private String stopped = "";

    /** @param show takes a new snapshot, because a drill has ended */
    public Drills(
            Questions questions,
            Scans scans,
            World world,
            EventLog events,
            Path folder,
            Clock clock,
            Timers timers,
            Runnable show) {
        this.questions = questions;
        this.scans = scans;
        this.world = world;
        this.events = events;
        this.clock = clock;
        this.timers = timers;
        this.show = show;
        file = new JsonFile<>(folder.resolve("drill.json"), DrillView.class);
        lastResult = file.readOrMoveAside().orElse(DrillView.NONE);
        view = lastResult;
    }

    /** The one that is under way, or the last one. */
    public synchronized DrillView view() {
        return view;
    }

    /** The last one that had a result. */
    public synchronized DrillView lastResult() {
        return lastResult;
    }

    /**
     * Begins one. Fails with EBUSY while another one is under way, and with EROFS while the queen-bee herself is being
     * recovered.
     */
    public void begin(String who) {
        String readOnly = questions.ask(state -> state.mutator().whyReadOnly());
        if (!readOnly.isEmpty()) {
            throw new PosixException(Errno.EROFS, "there is nothing to compare with: " + readOnly);
        }
        synchronized (this) {
            if (view.running()) {
                throw new PosixException(Errno.EBUSY, "a drill is under way, which %s has begun".formatted(view.by()));
            }
            stopped = "";
            view = DrillView.begun(clock.now().truncatedTo(ChronoUnit.SECONDS).toString(), who);
        }
        events.add("action", null, "a drill of the recovery has begun", who);
        try {
            world.executor().execute(this::run);
        } catch (OutOfMemoryError noThread) {
            end(DrillResult.stopped("no thread is to be had", "Repeat the drill when that has changed."), 0);
        }
    }

    /** Ends the one that is under way. Answers for people what has come of it. */
    public String stop(String who) {
        if (!interrupt("somebody has stopped it")) {
            return "no drill is under way";
        }
        String done = "the drill of the recovery is stopped";
        events.add("action", null, done, who);
        return done;
    }

    private synchronized boolean interrupt(String why) {
        if (!view.running()) {
            return false;
        }
        stopped = why;
        Thread running = runner;
        if (running != null) {
            running.interrupt();
        }
        return true;
    }

    private void run() {
        long began = clock.bootNanos();
        begins();
        Timers.Timer deadline = timers.schedule(
                LONGEST, () -> interrupt("it has taken longer than %d minutes".formatted(LONGEST.toMinutes())));
        DrillResult result;
        try {
            result = drill(began);
        } finally {
            deadline.cancel();
            ends();
        }
        end(result, millisSince(began));
    }

    private void end(DrillResult result, long millis) {
        DrillView ended = keep(result, millis);
        events.add("hive", null, "a drill of the recovery has ended. " + ended.summary(), null);
        show.run();
    }

    private DrillResult drill(long began) {
        try {
            return new Drill(
                            questions,
                            scans,
                            world,
                            clock,
                            (step, done, all) -> at(step, done, all, millisSince(began)))
                    .run();
        } catch (InterruptedException | PosixException e) {
            String why = stoppedBecause();
            return why.isEmpty()
                    ? DrillResult.stopped(
                            Objects.requireNonNullElse(e.getMessage(), "the queen-bee stops"),
                            "Repeat the drill when that has changed.")
                    : DrillResult.stopped(why, "");
        } catch (RuntimeException | Error e) {
            LOG.error("the drill of the recovery failed", e);
            return DrillResult.stopped("a defect, see the queen-bee's log", "Report it.");
        }
    }

    private synchronized void begins() {
        runner = Thread.currentThread();
        if (!stopped.isEmpty()) {
            runner.interrupt();
        }
    }

    /** Whoever stops it from now on comes too late; the thread may have another task after this one. */
    private synchronized void ends() {
        runner = null;
        Thread.interrupted();
    }

    private synchronized String stoppedBecause() {
        return stopped;
    }

    private synchronized void at(String step, long done, long all, long millis) {
        view = view.at(step, done, all, millis);
    }

    private synchronized DrillView keep(DrillResult result, long millis) {
        view = view.ended(result, millis);
        if (view.state().equals(DrillView.STOPPED)) {
            return view;
        }
        lastResult = view;
        try {
            file.write(view);
        } catch (PosixException e) {
            LOG.warn("the result of the drill is not kept over a restart: {}", e.getMessage());
        }
        return view;
    }

    private long millisSince(long nanos) {
        return Duration.ofNanos(clock.bootNanos() - nanos).toMillis();
    }
}
