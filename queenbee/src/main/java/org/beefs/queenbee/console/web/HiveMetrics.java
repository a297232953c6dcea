package org.beefs.queenbee.console.web;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.beefs.common.metrics.Exposition;
import org.beefs.common.metrics.OperationTimes;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.queenbee.console.model.ConsoleModel;
import org.beefs.queenbee.console.model.snapshot.DesktopView;
import org.beefs.queenbee.console.model.snapshot.HiveView;
import org.beefs.queenbee.console.model.snapshot.HiveView.Copies;
import org.beefs.queenbee.console.model.snapshot.HiveView.Load;
import org.beefs.queenbee.console.model.snapshot.Snapshot;

/**
 * What the queen-bee tells Prometheus: how long requests took, and the last snapshot with its age. An old one is left
 * out, or alarms on it would stay quiet.
 */
final class HiveMetrics {
    private static final double MILLIS_PER_SECOND = 1e3;

    private final Exposition exposition = new Exposition();
    private final ConsoleModel model;

    private HiveMetrics(ConsoleModel model) {
        this.model = model;
    }

    static Exposition of(ConsoleModel model, OperationTimes<OperationCase> times) {
        HiveMetrics metrics = new HiveMetrics(model);
        metrics.exposition.times("beefs_queen_request_seconds", "How long requests of desktops take", times::read);
        metrics.exposition.gauge(
                "beefs_snapshot_age_seconds",
                "How long ago the queen-bee answered the console last",
                () -> model.age().toMillis() / MILLIS_PER_SECOND);
        metrics.addHive();
        metrics.addCopies();
        metrics.addLoad();
        metrics.addDesktops();
        return metrics.exposition;
    }

    private void addHive() {
        hive("beefs_inodes", "Files, folders and all else", HiveView::inodes);
        hive("beefs_dirty_files", "Files that somebody may be writing", HiveView::dirtyFiles);
        hive(
                "beefs_capacity_bytes",
                "What users can store",
                hive -> hive.space().capacity());
        hive(
                "beefs_available_bytes",
                "What users can still store",
                hive -> hive.space().available());
        hive(
                "beefs_queen_disk_capacity_bytes",
                "What the disk with the queen-bee's state holds",
                hive -> hive.ownDisk().capacity());
        hive(
                "beefs_queen_disk_available_bytes",
                "What is free on it",
                hive -> hive.ownDisk().available());
        hive("beefs_queen_memory_percent", "Of her heap in use after its last collection", HiveView::memoryPercent);
        hive(
                "beefs_attention",
                "What needs somebody to look at it",
                hive -> hive.attention().size());
    }

    private void addCopies() {
        copies("beefs_under_replicated_files", "Files with too few current replicas", Copies::underReplicated);
        copies("beefs_stale_replicas", "Secondaries that hold an old version", Copies::stale);
        copies("beefs_copies_to_make", "Versions that connected desktops lack", Copies::toCopy);
        copies("beefs_copies_to_make_bytes", "Bytes of these", Copies::bytesToCopy);
        copies("beefs_copies_under_way", "Copies that are being made", Copies::underWay);
        copies("beefs_copy_rate_bytes", "Bytes copied a second", Copies::rate);
        copies(
                "beefs_replication_lag_seconds",
                "For how long the version that waits for longest has waited for a desktop that is there to copy it",
                copies -> copies.lagMillis() / MILLIS_PER_SECOND);
        copies(
                "beefs_checkpoint_lag_seconds",
                "By how much the copies of a file that is open for long are behind at most",
                copies -> copies.checkpointLagMillis() / MILLIS_PER_SECOND);
        copies(
                "beefs_pending_drops",
                "Replicas that are to be removed, on desktops that are not lost",
                Copies::pendingDrops);
    }

    private void addLoad() {
        load("beefs_leases", "Leases that desktops hold", Load::leases);
        load(
                "beefs_recall_waiters",
                "What leases were asked back for and not all desktops have given up",
                Load::waitingForRecalls);
        exposition.counterIfKnown(
                "beefs_recalls",
                "Messages that have asked desktops to give leases up",
                () -> hive().map(hive -> hive.load().recalls()));
        load("beefs_locks", "Locks that programs hold", Load::locks);
        load("beefs_lock_waiters", "Requests that wait for a lock", Load::waitingForLocks);
        load("beefs_journal_unsynced", "Changes that are made and not yet on the disk", Load::unsynced);
    }

    private void addDesktops() {
        desktops(
                "beefs_desktop_connected", "Whether a desktop has a session", desktop -> desktop.connected() ? 1L : 0L);
        desktops("beefs_desktop_used_bytes", "What replicas take there", DesktopView::used);
        desktops("beefs_desktop_available_bytes", "What replicas may still take there", DesktopView::available);
    }

    private void hive(String name, String help, Function<HiveView, Number> value) {
        exposition.gaugeIfKnown(name, help, () -> hive().map(value));
    }

    private void copies(String name, String help, Function<Copies, Number> value) {
        hive(name, help, hive -> value.apply(hive.copies()));
    }

    private void load(String name, String help, Function<Load, Number> value) {
        hive(name, help, hive -> value.apply(hive.load()));
    }

    private void desktops(String name, String help, Function<DesktopView, Long> value) {
        exposition.gauges(name, help, "desktop", () -> byName(value));
    }

    private Map<String, Long> byName(Function<DesktopView, Long> value) {
        Map<String, Long> values = new LinkedHashMap<>();
        model.recent()
                .ifPresent(snapshot ->
                        snapshot.desktops().forEach(desktop -> values.put(desktop.name(), value.apply(desktop))));
        return values;
    }

    private Optional<HiveView> hive() {
        return model.recent().map(Snapshot::hive);
    }
}
