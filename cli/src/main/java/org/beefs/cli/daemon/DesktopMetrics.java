package org.beefs.cli.daemon;

import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.beefs.common.metrics.Exposition;
import org.beefs.common.wire.HoneycombSpace;
import org.beefs.honeybee.cache.CacheCounts;
import org.beefs.honeybee.data.WriteBehind;
import org.beefs.honeybee.mount.RequestMeter.Opens;
import org.beefs.honeybee.queen.QueenSession;
import org.jspecify.annotations.Nullable;

/** What a desktop tells Prometheus: of all its mounts together, its session with the queen-bee, and its honeycomb. */
final class DesktopMetrics {
    private final Exposition exposition = new Exposition();

    private DesktopMetrics() {}

    static Exposition of(
            DesktopMounts mounts, QueenSession session, WriteBehind behind, @Nullable DesktopHoneycomb honeycomb) {
        DesktopMetrics metrics = new DesktopMetrics();
        metrics.addMounts(mounts, behind);
        metrics.addSession(session);
        if (honeycomb != null) {
            metrics.addHoneycomb(honeycomb);
        }
        return metrics.exposition;
    }

    private void addMounts(DesktopMounts mounts, WriteBehind behind) {
        exposition.gauge(
                "beefs_mounts", "Where the hive is mounted", () -> mounts.list().size());
        exposition.times("beefs_kernel_request_seconds", "How long requests of the kernel take", mounts::times);
        exposition.counters("beefs_opens", "Files opened, by the way their content takes", "content", () -> {
            Opens opens = mounts.opens();
            return Map.of("passthrough", opens.passthrough(), "daemon", opens.daemon());
        });
        exposition.gauge(
                "beefs_written_behind_bytes",
                "What programs were told is written and is not yet where it belongs",
                behind::bytes);
    }

    private void addSession(QueenSession session) {
        exposition.gauge(
                "beefs_queen_connected",
                "Whether there is a connection with the queen-bee",
                () -> session.isConnected() ? 1 : 0);
        exposition.gauge("beefs_queen_calls_waiting", "Calls that wait for a connection with her", session::waiting);
        exposition.gauge("beefs_open_files", "Files that programs have open", session::openFiles);
        exposition.counters("beefs_cache_lookups", "What the cache of names and attributes was asked", "result", () -> {
            CacheCounts counts = session.cache().counts();
            return Map.of("hit", counts.hits(), "miss", counts.misses());
        });
        exposition.gauge(
                "beefs_cached_inodes",
                "Inodes that are kept under leases",
                () -> session.cache().counts().nodes());
        exposition.counter(
                "beefs_recalled",
                "Messages that have taken leases away",
                () -> session.cache().counts().recalled());
    }

    private void addHoneycomb(DesktopHoneycomb honeycomb) {
        space(honeycomb, "beefs_honeycomb_capacity_bytes", "What replicas may take", HoneycombSpace::getCapacity);
        space(honeycomb, "beefs_honeycomb_used_bytes", "What replicas take", HoneycombSpace::getUsed);
        space(
                honeycomb,
                "beefs_honeycomb_available_bytes",
                "What replicas may still take",
                HoneycombSpace::getAvailable);
        exposition.times(
                "beefs_honeycomb_request_seconds",
                "How long requests of other desktops take",
                () -> honeycomb.traffic().times());
        exposition.counter(
                "beefs_honeycomb_received_bytes",
                "Content that other desktops have written",
                () -> honeycomb.traffic().received());
        exposition.counter(
                "beefs_honeycomb_sent_bytes",
                "Content that other desktops have read",
                () -> honeycomb.traffic().sent());
        exposition.counter(
                "beefs_honeycomb_copied_bytes", "Content copied here from other desktops", honeycomb::copied);
        exposition.gauges(
                "beefs_honeycomb_waiting_requests",
                "Requests that wait for a thread that works on the disk",
                "threads",
                honeycomb::waiting);
        exposition.gauge(
                "beefs_honeycomb_fenced_files", "Files that programs hold and must not write", honeycomb::fenced);
    }

    private void space(DesktopHoneycomb honeycomb, String name, String help, ToDoubleFunction<HoneycombSpace> figure) {
        exposition.gauge(name, help, () -> figure.applyAsDouble(honeycomb.space()));
    }
}
