package org.beefs.queenbee.console.web;

import java.util.Locale;
import org.beefs.queenbee.console.model.DesktopView;
import org.beefs.queenbee.console.model.HiveView;
import org.beefs.queenbee.console.model.Snapshot;

/** The last snapshot in the form of OpenMetrics, which Prometheus reads. */
final class Metrics {
    static final String MEDIA_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private final StringBuilder text = new StringBuilder();

    private Metrics() {}

    static String of(Snapshot snapshot) {
        Metrics metrics = new Metrics();
        metrics.add(snapshot.hive());
        metrics.addDesktops(snapshot);
        return metrics.text.append("# EOF\n").toString();
    }

    private void add(HiveView hive) {
        gauge("beefs_inodes", "Files, folders and all else", hive.inodes());
        gauge("beefs_dirty_files", "Files that somebody may be writing", hive.dirtyFiles());
        gauge("beefs_capacity_bytes", "What users can store", hive.space().capacity());
        gauge(
                "beefs_available_bytes",
                "What users can still store",
                hive.space().available());
        gauge(
                "beefs_under_replicated_files",
                "Files with too few current replicas",
                hive.copies().underReplicated());
        gauge(
                "beefs_stale_replicas",
                "Secondaries that hold an old version",
                hive.copies().stale());
        gauge(
                "beefs_copies_to_make",
                "Versions that connected desktops lack",
                hive.copies().toCopy());
        gauge("beefs_copies_to_make_bytes", "Bytes of these", hive.copies().bytesToCopy());
        gauge("beefs_copy_rate_bytes", "Bytes copied a second", hive.copies().rate());
        gauge("beefs_leases", "Leases that desktops hold", hive.load().leases());
        gauge("beefs_locks", "Locks that programs hold", hive.load().locks());
        gauge("beefs_lock_waiters", "Requests that wait for a lock", hive.load().waitingForLocks());
        head("beefs_operations_per_second", "Requests of desktops a second");
        line(
                "beefs_operations_per_second",
                "",
                String.format(Locale.ROOT, "%.3f", hive.load().operationsPerSecond()));
        head("beefs_operation_seconds", "How long requests take at most");
        line(
                "beefs_operation_seconds",
                "{quantile=\"0.5\"}",
                seconds(hive.load().medianMicros()));
        line(
                "beefs_operation_seconds",
                "{quantile=\"0.99\"}",
                seconds(hive.load().slowMicros()));
    }

    private void addDesktops(Snapshot snapshot) {
        head("beefs_desktop_connected", "Whether a desktop has a session");
        snapshot.desktops()
                .forEach(desktop -> line("beefs_desktop_connected", label(desktop), desktop.connected() ? "1" : "0"));
        head("beefs_desktop_used_bytes", "What replicas take there");
        snapshot.desktops().forEach(desktop -> line("beefs_desktop_used_bytes", label(desktop), "" + desktop.used()));
        head("beefs_desktop_available_bytes", "What replicas may still take there");
        snapshot.desktops()
                .forEach(desktop -> line("beefs_desktop_available_bytes", label(desktop), "" + desktop.available()));
    }

    private void gauge(String name, String help, long value) {
        head(name, help);
        line(name, "", Long.toString(value));
    }

    private void head(String name, String help) {
        text.append("# TYPE ")
                .append(name)
                .append(" gauge\n# HELP ")
                .append(name)
                .append(' ')
                .append(help)
                .append('\n');
    }

    private void line(String name, String labels, String value) {
        text.append(name).append(labels).append(' ').append(value).append('\n');
    }

    private static String label(DesktopView desktop) {
        String name = desktop.name().replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
        return "{desktop=\"" + name + "\"}";
    }

    private static String seconds(long micros) {
        return String.format(Locale.ROOT, "%.6f", micros / 1e6);
    }
}
