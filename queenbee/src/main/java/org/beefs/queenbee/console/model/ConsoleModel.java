package org.beefs.queenbee.console.model;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
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
import org.beefs.queenbee.console.model.question.Questions;
import org.beefs.queenbee.console.model.question.Scans;
import org.beefs.queenbee.console.model.replication.CopyView;
import org.beefs.queenbee.console.model.replication.Copying;
import org.beefs.queenbee.console.model.replication.ReplicaCounts;
import org.beefs.queenbee.console.model.replication.WithoutDesktops;
import org.beefs.queenbee.console.model.replication.WithoutDesktopsCount;
import org.beefs.queenbee.console.model.snapshot.Changes;
import org.beefs.queenbee.console.model.snapshot.DesktopView;
import org.beefs.queenbee.console.model.snapshot.History;
import org.beefs.queenbee.console.model.snapshot.HiveView.Load;
import org.beefs.queenbee.console.model.snapshot.PresenceHistory;
import org.beefs.queenbee.console.model.snapshot.PresencePeriod;
import org.beefs.queenbee.console.model.snapshot.Replication;
import org.beefs.queenbee.console.model.snapshot.Rooms;
import org.beefs.queenbee.console.model.snapshot.Snapshot;
import org.beefs.queenbee.console.model.snapshot.SnapshotTaker;
import org.beefs.queenbee.console.model.snapshot.SpeedMeter;
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

    /** A snapshot that is older says nothing of the hive as it is. */
    private static final Duration OLDEST = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(ConsoleModel.class);

    /** Hears that there is news. Does not block. */
    public interface Listener {
        void snapshotTaken();

        void happened(Event event);
    }

    private final Clock clock;
    private final Timers timers;
    private final Executor executor;
    private final Questions questions;
    private final Scans scans;
    private final SnapshotTaker taker;
    private final EventLog events;
    private final FailedLogins failedLogins;
    private final Changes changes;
    private final FileBrowser files;
    private final Clients clients;
    private final Copying copying;
    private final ReplicaCounts counts;
    private final Administration administration;
    private final Drills drills;
    private final PresenceHistory presence;
    private final History history = new History();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private volatile @Nullable Snapshot latest;

    /** When that was asked for, or until then when the first one was waited for; by the boot clock, in nanoseconds. */
    private volatile long latestAsked;

    private volatile boolean closed;

    /** Guarded by this. */
    private final SpeedMeter speed;

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
        latestAsked = clock.bootNanos();
        questions = new Questions(queenBee);
        scans = new Scans(questions);
        Rooms rooms = new Rooms(folder);
        events = new EventLog(folder, clock, this::happened);
        failedLogins = new FailedLogins(events, clock);
        presence = new PresenceHistory(folder);
        drills = new Drills(questions, scans, drill, events, folder, clock, timers, this::showNow);
        taker = new SnapshotTaker(questions, rooms, drills, ownDisk);
        changes = new Changes(events);
        files = new FileBrowser(questions, scans, clock);
        clients = new Clients(questions);
        copying = new Copying(questions);
        counts = new ReplicaCounts(scans, clock, executor);
        administration = new Administration(questions, events, files, rooms, alarm, this::showNow);
        speed = new SpeedMeter(times, clock);
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
        counts.somebodyLooks();
        Snapshot present = latest;
        return present != null ? present : refresh();
    }

    /** The last snapshot unless it is older than a minute: then the queen-bee does not answer any more. */
    public Optional<Snapshot> recent() {
        counts.somebodyLooks();
        return age().compareTo(OLDEST) > 0 ? Optional.empty() : Optional.ofNullable(latest);
    }

    /** How old the last snapshot is; before the first one, how long that has been waited for. */
    public Duration age() {
        return Duration.ofNanos(clock.bootNanos() - latestAsked);
    }

    /** Takes a snapshot now, so that what has just been done is seen. */
    public synchronized Snapshot refresh() {
        Snapshot before = latest;
        long asked = clock.bootNanos();
        Snapshot after = taker.take(clock.now(), speed.measure(), counts.last());
        latest = after;
        latestAsked = asked;
        failedLogins.tell();
        if (before != null) {
            changes.tell(before, after);
        }
        presence.see(Instant.parse(after.hive().time()), after.desktops());
        return after;
    }

    /** What the last count of all replicas has shown. */
    public Replication replication() {
        counts.somebodyLooks();
        return counts.last();
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

    /** What would be if these were off. */
    public WithoutDesktops without(Set<String> desktops) {
        desktops.forEach(this::require);
        WithoutDesktopsCount count = new WithoutDesktopsCount(Set.copyOf(desktops));
        scans.run(0, Scans.PART, count::visitor, () -> false);
        return count.result();
    }

    /** For tests, which do not wait until it is time to count. */
    ReplicaCounts counts() {
        return counts;
    }

    /** Takes no more snapshots. */
    @Override
    public void close() {
        closed = true;
        counts.close();
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
            counts.countIfSomebodyLooks();
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

    /** Where no thread is to be had the next turn tries again. */
    private void takeTurn() {
        if (closed) {
            return;
        }
        try {
            executor.execute(this::turn);
        } catch (OutOfMemoryError noThread) {
            LOG.debug("no snapshot: {}", noThread.getMessage());
            timers.schedule(DISTANCE, this::takeTurn);
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

    private void happened(Event event) {
        listeners.forEach(listener -> listener.happened(event));
    }
}
