package org.beefs.cli.view;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.SortedMap;
import org.beefs.cli.terminal.Table;
import org.beefs.common.config.ByteSize;
import org.beefs.common.metrics.Latencies.Reading;
import org.beefs.common.wire.HoneycombSpace;
import org.beefs.honeybee.cache.CacheCounts;
import org.beefs.honeybee.mount.RequestMeter.Opens;
import org.jspecify.annotations.Nullable;

/** How a mount does, for its users: what they read in {@code .beefs/stats}. */
public final class MountView {
    private static final double NANOS_PER_MILLI = 1e6;

    private MountView() {}

    /**
     * Which mount it is.
     *
     * @param desktop whose
     * @param version of the daemon there
     * @param place where it is mounted
     * @param since when that was done
     * @param driver who serves it, and through what
     */
    public record Mounted(String desktop, String version, String place, Instant since, String driver) {}

    /**
     * What holds for all mounts of the desktop.
     *
     * @param connected whether the queen-bee can be reached
     * @param waiting calls that wait for her
     * @param openFiles that programs have open
     * @param cache what was asked of the cache of names and attributes
     * @param writtenBehind bytes that programs were told are written, and that are not yet where they belong
     * @param honeycomb its space; null when the desktop has none
     */
    public record Desktop(
            boolean connected,
            int waiting,
            int openFiles,
            CacheCounts cache,
            long writtenBehind,
            @Nullable HoneycombSpace honeycomb) {}

    /**
     * The text.
     *
     * @param opens through this mount
     * @param times how long the kernel waited for answers at this mount, by operation
     */
    public static String text(Mounted mounted, Desktop desktop, Opens opens, SortedMap<String, Reading> times) {
        StringBuilder text = new StringBuilder();
        text.append("BeeFS %s on %s, mounted at %s since %s%n%n"
                .formatted(
                        mounted.version(),
                        mounted.desktop(),
                        mounted.place(),
                        mounted.since().truncatedTo(ChronoUnit.SECONDS)));
        line(text, "queen-bee", queenBee(desktop));
        line(text, "driver", mounted.driver());
        line(text, "open files", desktop.openFiles() + " on this desktop");
        line(text, "names", share(desktop.cache().hits(), desktop.cache().misses(), "known here", "asked for"));
        line(text, "opens", share(opens.passthrough(), opens.daemon(), "on this disk", "through the daemon"));
        line(text, "not yet written", new ByteSize(desktop.writtenBehind()).toString());
        HoneycombSpace space = desktop.honeycomb();
        line(text, "honeycomb", space == null ? "none on this desktop" : honeycomb(space));
        if (!times.isEmpty()) {
            text.append('\n').append(requests(times).render());
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String what, String figure) {
        text.append("%-16s %s%n".formatted(what, figure));
    }

    private static String queenBee(Desktop desktop) {
        return desktop.connected()
                ? "connected"
                : "cannot be reached; %d calls wait for her".formatted(desktop.waiting());
    }

    private static String share(long good, long rest, String goodly, String restly) {
        long all = good + rest;
        return all == 0
                ? "none yet"
                : String.format(Locale.ROOT, "%d %s, %d %s (%d %%)", good, goodly, rest, restly, good * 100 / all);
    }

    private static String honeycomb(HoneycombSpace space) {
        return "%s used, %s available".formatted(new ByteSize(space.getUsed()), new ByteSize(space.getAvailable()));
    }

    private static Table requests(SortedMap<String, Reading> times) {
        Table table = new Table("kernel asked", "times", "half took", "99 % took");
        times.forEach((operation, reading) -> table.add(
                operation,
                Long.toString(reading.total()),
                "< " + millis(reading.percentile(0.5)),
                "< " + millis(reading.percentile(0.99))));
        return table;
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.2f ms", nanos / NANOS_PER_MILLI);
    }
}
