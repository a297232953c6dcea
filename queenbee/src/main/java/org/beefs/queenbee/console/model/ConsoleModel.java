package org.beefs.queenbee.console.model;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.beefs.common.metrics.Latencies.Reading;
import org.beefs.common.metrics.OperationTimes;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.queenbee.console.model.client.Clients;
import org.beefs.queenbee.console.model.drill.Drills;
import org.beefs.queenbee.console.model.event.Event;
import org.beefs.queenbee.console.model.event.EventLog;
import org.beefs.queenbee.console.model.event.FailedLogins;
import org.beefs.queenbee.console.model.file.FileBrowser;
import org.beefs.queenbee.console.model.file.FilePage;
import org.beefs.queenbee.console.model.file.FileView;
import org.beefs.queenbee.console.model.file.Search;
import org.beefs.queenbee.console.model.file.Usage;
import org.beefs.queenbee.console.model.file.UsageWalk;
import org.beefs.queenbee.console.model.question.Questions;
import org.beefs.queenbee.console.model.question.Scans;
import org.beefs.queenbee.console.model.replication.CopyView;
import org.beefs.queenbee.console.model.replication.Copying;
import org.beefs.queenbee.console.model.replication.ReplicaCount;
import org.beefs.queenbee.console.model.replication.WithoutDesktops;
import org.beefs.queenbee.console.model.replication.WithoutDesktopsCount;
import org.beefs.queenbee.console.model.snapshot.Changes;
import org.beefs.queenbee.console.model.snapshot.DesktopView;
import org.beefs.queenbee.console.model.snapshot.DesktopView.Replicas;
import org.beefs.queenbee.console.model.snapshot.History;
import org.beefs.queenbee.console.model.snapshot.HiveView.Load;
import org.beefs.queenbee.console.model.snapshot.PresenceHistory;
import org.beefs.queenbee.console.model.snapshot.PresencePeriod;
import org.beefs.queenbee.console.model.snapshot.Replication;
import org.beefs.queenbee.console.model.snapshot.Rooms;
import org.beefs.queenbee.console.model.snapshot.Snapshot;
import org.beefs.queenbee.console.model.snapshot.SnapshotTaker;
import org.beefs.queenbee.console.model.snapshot.Speed;
import org.beefs.queenbee.journal.DiskSpace;
import org.beefs.queenbee.server.NamespaceAccess;
import org.beefs.queenbee.wake.Alarm;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the console knows of the hive: a snapshot every {@link #DISTANCE}, the history of these, and what is asked when
 * somebody looks. Failures are {@link PosixException}s. Thread-safe; everything that is asked may wait for the
 * namespace thread.
 */
public final class ConsoleModel implements AutoCloseable {
    static final Duration DISTANCE = Duration.ofSeconds(5);

    /** Replicas are counted anew no sooner, and only while somebody looks. */
    private static final Duration COUNT_DISTANCE = Duration.ofMinutes(1);

    private static final Duration NOBODY_LOOKS = Duration.ofMinutes(10);
    private static final int MOST_FOUND = 200;

    /** Who looks for a rare name sees what there is until then, and goes on. */
    private static final Duration LONGEST_SEARCH = Duration.ofMillis(100);

    private static final Logger LOG = LoggerFactory.getLogger(ConsoleModel.class);

    /** Hears that there is news. Does not block. */
    public interface Listener {
        void snapshotTaken();

        void happened(Event event);
    }

    private final Clock clock;
    private final Timers timers;
    private final Executor executor;
    private final OperationTimes<OperationCase> times;
    private final Questions questions;
    private final Scans scans;
    private final SnapshotTaker taker;
    private final EventLog events;
    private final FailedLogins failedLogins;
    private final Changes changes;
    private final FileBrowser files;
    private final Clients clients;
    private final Copying copying;
    private final Administration administration;
    private final Drills drills;
    private final PresenceHistory presence;
    private final History history = new History();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private volatile @Nullable Snapshot latest;
    private volatile Replication replication = Replication.UNKNOWN;
    private volatile boolean closed;
    private volatile long lookedAt;

    // Guarded by this.
    private Reading reading;
    private long readAt;
    private Speed speed = Speed.UNKNOWN;
    private long countedAt;
    private boolean counting;

    /**
     * @param folder of the console's own files
     * @param executor for what waits
     * @param alarm that wakes desktops
     * @param drill what drills of a recovery work with
     * @param ownDisk the queen-bee's, as last seen; does not block
     */
    public ConsoleModel(
            NamespaceAccess queenBee,
            OperationTimes<OperationCase> times,
            Path folder,
            Clock clock,
            Timers timers,
            Executor executor,
            Alarm alarm,
            Drills.World drill,
            Supplier<DiskSpace> ownDisk) {
        this.clock = clock;
        this.timers = timers;
        this.executor = executor;
        this.times = times;
        questions = new Questions(queenBee);
        scans = new Scans(questions);
        Rooms rooms = new Rooms(folder);
        events = new EventLog(folder, clock, this::happened);
        failedLogins = new FailedLogins(events, clock);
        presence = new PresenceHistory(folder);
        drills = new Drills(questions, scans, drill, events, folder, clock, timers, this::showNow);
        taker = new SnapshotTaker(questions, rooms, drills, ownDisk);
        changes = new Changes(events);
        files = new FileBrowser(questions);
        clients = new Clients(questions);
        copying = new Copying(questions);
        administration = new Administration(questions, events, files, rooms, alarm, this::showNow);
        reading = times.total();
        readAt = clock.bootNanos();
        lookedAt = readAt - NOBODY_LOOKS.toNanos();
        countedAt = readAt - COUNT_DISTANCE.toNanos();
    }

    /** Begins to take snapshots. */
    public void start() {
        events.add("hive", null, "the queen-bee has started", null);
        executor.execute(this::turn);
    }

    /** Somebody wants to hear of news. */
    public void listen(Listener listener) {
        listeners.add(listener);
    }

    /** The last snapshot; the first one is waited for. */
    public Snapshot snapshot() {
        somebodyLooks();
        Snapshot present = latest;
        return present != null ? present : refresh();
    }

    /** Takes a snapshot now, so that what has just been done is seen. */
    public synchronized Snapshot refresh() {
        measure();
        Snapshot before = latest;
        Snapshot after = taker.take(clock.now(), speed, replication);
        latest = after;
        failedLogins.tell();
        if (before != null) {
            changes.tell(before, after);
        }
        presence.see(Instant.parse(after.hive().time()), after.desktops());
        return after;
    }

    /** What the last count of all replicas has shown. */
    public Replication replication() {
        somebodyLooks();
        return replication;
    }

    /** What is copied to which desktop at present, and what leaves which. */
    public List<CopyView> copying() {
        return copying.list();
    }

    public History history() {
        return history;
    }

    public EventLog events() {
        return events;
    }

    public FailedLogins failedLogins() {
        return failedLogins;
    }

    public FileBrowser files() {
        return files;
    }

    public Clients clients() {
        return clients;
    }

    public Administration administration() {
        return administration;
    }

    /**
     * When a desktop was awake, asleep and lost in the last days, the oldest first; nothing for one without honeycomb.
     */
    public List<PresencePeriod> presence(String desktop) {
        return presence.of(require(desktop).name());
    }

    public Drills drills() {
        return drills;
    }

    /**
     * Files by name, see {@link Search}: some of them, maybe none, as far as a short look has come.
     *
     * @param under path of the directory that they are in, at whatever depth
     * @param from {@code next} of the page before; 0 for the first
     */
    public FilePage find(String pattern, String under, int from) {
        FileView directory = files.at(under);
        if (!directory.isDirectory()) {
            throw new PosixException(Errno.ENOTDIR, under + " is no directory");
        }
        Search search = new Search(pattern, directory.inode());
        long end = clock.bootNanos() + LONGEST_SEARCH.toNanos();
        int next = scans.run(
                from, Search.PART, search::visitor, () -> search.size() >= MOST_FOUND || clock.bootNanos() - end >= 0);
        return new FilePage(search.found(), next == 0 ? null : (long) next);
    }

    /** What a tree takes, or a file. */
    public Usage usage(FileView top) {
        UsageWalk walk = new UsageWalk(top);
        scans.run(walk::step);
        return walk.result();
    }

    /** What would be if these were off. */
    public WithoutDesktops without(Set<String> desktops) {
        desktops.forEach(this::require);
        WithoutDesktopsCount count = new WithoutDesktopsCount(Set.copyOf(desktops));
        scans.run(0, Scans.PART, count::visitor, () -> false);
        return count.result();
    }

    /** Goes through all files and counts replicas. */
    void count() {
        ReplicaCount count = new ReplicaCount();
        scans.run(0, Scans.PART, count::visitor, () -> closed);
        Map<String, Replicas> byDesktop = count.byDesktop();
        replication =
                new Replication(clock.now().truncatedTo(ChronoUnit.SECONDS).toString(), byDesktop, count.lacking());
    }

    /** Takes no more snapshots. */
    @Override
    public void close() {
        closed = true;
        presence.save();
    }

    private DesktopView require(String desktop) {
        return snapshot()
                .desktop(desktop)
                .orElseThrow(() -> new PosixException(Errno.ENODEV, "there is no desktop named " + desktop));
    }

    /** One snapshot, and the next one later. */
    private void turn() {
        try {
            remember(refresh());
            listeners.forEach(Listener::snapshotTaken);
            countIfSomebodyLooks();
        } catch (PosixException e) {
            LOG.debug("no snapshot: {}", e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("the console's snapshot failed", e);
        } finally {
            timers.schedule(DISTANCE, this::takeTurn);
        }
    }

    /** Takes a snapshot; without one, what was done is seen only later. */
    private void showNow() {
        try {
            refresh();
        } catch (PosixException e) {
            LOG.debug("no snapshot: {}", e.getMessage());
        }
    }

    private void takeTurn() {
        if (!closed) {
            executor.execute(this::turn);
        }
    }

    private void remember(Snapshot snapshot) {
        Load load = snapshot.hive().load();
        history.add(new History.Sample(
                Instant.parse(snapshot.hive().time()).getEpochSecond(),
                load.operationsPerSecond(),
                load.medianMicros(),
                load.slowMicros(),
                snapshot.hive().copies().rate(),
                snapshot.hive().copies().underReplicated(),
                snapshot.hive().copies().stale(),
                load.traffic()));
    }

    /** Measures the speed over at least a second, so that a refresh does not show that of a moment. */
    private void measure() {
        Duration time = Duration.ofNanos(clock.bootNanos() - readAt);
        if (time.toSeconds() >= 1) {
            Reading now = times.total();
            speed = Speed.between(reading, now, time);
            reading = now;
            readAt += time.toNanos();
        }
    }

    private void somebodyLooks() {
        lookedAt = clock.bootNanos();
    }

    private void countIfSomebodyLooks() {
        if (mayCount()) {
            executor.execute(() -> {
                try {
                    count();
                } catch (PosixException e) {
                    LOG.debug("replicas were not counted: {}", e.getMessage());
                } finally {
                    counted();
                }
            });
        }
    }

    private synchronized boolean mayCount() {
        long now = clock.bootNanos();
        boolean looks = now - lookedAt < NOBODY_LOOKS.toNanos();
        if (!looks || counting || now - countedAt < COUNT_DISTANCE.toNanos()) {
            return false;
        }
        counting = true;
        return true;
    }

    private synchronized void counted() {
        counting = false;
        countedAt = clock.bootNanos();
    }

    private void happened(Event event) {
        listeners.forEach(listener -> listener.happened(event));
    }
}
