package org.beefs.cli.terminal;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import org.beefs.common.config.ByteSize;
import org.beefs.common.time.Clock;

/**
 * A bar that grows, with how fast that is and what is left to wait: in place on a terminal, in lines of every tenth
 * elsewhere. What is over within a second shows nothing. Thread-safe.
 */
public final class ProgressBar {
    private static final int WIDTH = 30;
    private static final int STEPS = 10;
    private static final long QUIET_NANOS = Duration.ofSeconds(1).toNanos();

    /** Fewer steps in a second are counted by the minute. */
    private static final double SLOW = 0.5;

    private static final String ERASE_REST_OF_LINE = "\033[K";

    private final String what;
    private final long all;
    private final PrintWriter out;
    private final boolean terminal;
    private final Clock clock;
    private final long begun;
    private final boolean bytes;

    /** Guarded by this. */
    private long done;

    /** What of that took no time; guarded by this. */
    private long skipped;

    /**
     * @param all steps that are expected; what comes beyond is not shown
     * @param terminal whether a line may be drawn again
     */
    public ProgressBar(String what, long all, PrintWriter out, boolean terminal, Clock clock) {
        this(what, all, out, terminal, clock, false);
    }

    private ProgressBar(String what, long all, PrintWriter out, boolean terminal, Clock clock, boolean bytes) {
        this.what = what;
        this.all = Math.max(1, all);
        this.out = out;
        this.terminal = terminal;
        this.clock = clock;
        this.begun = clock.bootNanos();
        this.bytes = bytes;
    }

    /** One whose steps are bytes, and shown as sizes. */
    public static ProgressBar ofBytes(String what, long all, PrintWriter out, boolean terminal, Clock clock) {
        return new ProgressBar(what, all, out, terminal, clock, true);
    }

    /** One more step is done. */
    public void advance() {
        advance(1);
    }

    /** So many more steps are done. */
    public synchronized void advance(long steps) {
        long before = done;
        done = Math.min(done + steps, all);
        if (!clock.isPast(begun + QUIET_NANOS)) {
            return;
        }
        if (terminal) {
            out.print("\r" + line(Terminal.messageWidth()) + ERASE_REST_OF_LINE);
            out.flush();
        } else if (done * STEPS / all != before * STEPS / all) {
            out.println(line(Integer.MAX_VALUE));
            out.flush();
        }
    }

    /** So many steps need not be done: they say nothing about how fast it goes. */
    public synchronized void skip(long steps) {
        skipped += Math.min(steps, all - done);
        advance(steps);
    }

    /** Takes the bar away: what was done is to be told now. */
    public synchronized void end() {
        if (terminal) {
            out.print("\r" + ERASE_REST_OF_LINE);
            out.flush();
        }
    }

    /** The bar itself gives way where there is little room. */
    private String line(int width) {
        String amounts = "%s of %s%s".formatted(amount(done), amount(all), speed());
        int room = Math.clamp(
                (long) width - amounts.length() - "%-13s [] ".formatted(what).length() - 1, 0, WIDTH);
        int filled = (int) (done * room / all);
        return "%-13s [%s%s] %s".formatted(what, "#".repeat(filled), ".".repeat(room - filled), amounts);
    }

    private String amount(long steps) {
        return bytes ? new ByteSize(steps).toString() : Long.toString(steps);
    }

    private String speed() {
        long worked = done - skipped;
        Duration passed = Duration.ofNanos(clock.bootNanos() - begun);
        if (worked == 0 || done == all || passed.isZero()) {
            return "";
        }
        Duration left = passed.multipliedBy(all - done).dividedBy(worked);
        return ", %s, about %d:%02d left".formatted(rate(worked, passed), left.toMinutes(), left.toSecondsPart());
    }

    private String rate(long worked, Duration passed) {
        double perSecond = worked * 1e9 / passed.toNanos();
        if (bytes) {
            return new ByteSize((long) perSecond) + "/s";
        }
        return perSecond < SLOW
                ? String.format(Locale.ROOT, "%.1f/min", perSecond * 60)
                : String.format(Locale.ROOT, perSecond < 10 ? "%.1f/s" : "%.0f/s", perSecond);
    }
}
