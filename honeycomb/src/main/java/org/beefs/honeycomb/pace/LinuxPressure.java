package org.beefs.honeycomb.pace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.beefs.common.time.Clock;
import org.beefs.common.time.ProductionOnly;

/**
 * The kernel's own figures (PSI), {@code some} of io and cpu: the average of ten seconds, which keeps a while in mind
 * that somebody was disturbed, or what has come since the last look, which tells it at once. A kernel that keeps none
 * tells of no pressure. Thread-safe.
 */
@ProductionOnly
public final class LinuxPressure implements Pressure {
    private static final Pattern SOME = Pattern.compile("some avg10=(\\d+(?:\\.\\d+)?) .* total=(\\d+)");

    /**
     * Nanoseconds between two looks: for less time the kernel's figures tell little. Looks in between are answered with
     * what the one before has shown.
     */
    private static final long LEAST_LOOK = Duration.ofMillis(500).toNanos();

    private final Path folder;
    private final Clock clock;
    private final Resource io = new Resource("io");
    private final Resource cpu = new Resource("cpu");

    /** Guarded by this. */
    private long lookedAt;

    public LinuxPressure(Clock clock) {
        this(Path.of("/proc/pressure"), clock);
    }

    LinuxPressure(Path folder, Clock clock) {
        this.folder = folder;
        this.clock = clock;
        this.lookedAt = clock.bootNanos() - LEAST_LOOK;
    }

    @Override
    public synchronized double percent() {
        long now = clock.bootNanos();
        long passed = now - lookedAt;
        if (passed >= LEAST_LOOK) {
            lookedAt = now;
            io.look(passed);
            cpu.look(passed);
        }
        return Math.max(io.percent, cpu.percent);
    }

    /** A resource that programs wait for. */
    private final class Resource {
        private final String name;
        private double percent;

        /** Microseconds since the machine's start; less than nothing before the first look. */
        private long total = -1;

        Resource(String name) {
            this.name = name;
        }

        void look(long passedNanos) {
            try {
                Matcher some = SOME.matcher(Files.readString(folder.resolve(name)));
                if (some.find()) {
                    long waited = Long.parseLong(some.group(2));
                    double since = total < 0 ? 0 : 100_000.0 * (waited - total) / passedNanos;
                    percent = Math.max(Double.parseDouble(some.group(1)), Math.min(since, 100));
                    total = waited;
                }
            } catch (IOException absent) {
                percent = 0;
            }
        }
    }
}
