package org.beefs.cli.view;

import java.io.PrintWriter;
import java.time.Duration;
import org.beefs.common.time.Clock;

/** A bar that grows, with what is left to wait: in place on a terminal, in lines of every tenth elsewhere. Thread-safe. */
public final class ProgressBar {
    private static final int WIDTH = 30;
    private static final int STEPS = 10;
    private static final String ERASE_REST_OF_LINE = "\033[K";

    private final String what;
    private final long all;
    private final PrintWriter out;
    private final boolean terminal;
    private final Clock clock;
    private final long begun;

    /** Guarded by this. */
    private long done;

    /**
     * @param all steps that are expected; what comes beyond is not shown
     * @param terminal whether a line may be drawn again
     */
    public ProgressBar(String what, long all, PrintWriter out, boolean terminal, Clock clock) {
        this.what = what;
        this.all = Math.max(1, all);
        this.out = out;
        this.terminal = terminal;
        this.clock = clock;
        this.begun = clock.bootNanos();
    }

    /** Whether the launcher has found that messages go to a terminal. */
    public static boolean onTerminal() {
        return Boolean.getBoolean("beefs.terminal");
    }

    /** One more step is done. */
    public void advance() {
        advance(1);
    }

    /** So many more steps are done. */
    public synchronized void advance(long steps) {
        long before = done;
        done = Math.min(done + steps, all);
        if (terminal) {
            out.print("\r" + line() + ERASE_REST_OF_LINE);
            out.flush();
        } else if (done * STEPS / all != before * STEPS / all) {
            out.println(line());
            out.flush();
        }
    }

    /** Takes the bar away: what was done is to be told now. */
    public synchronized void end() {
        if (terminal) {
            out.print("\r" + ERASE_REST_OF_LINE);
            out.flush();
        }
    }

    private String line() {
        int filled = (int) (done * WIDTH / all);
        return "%-13s [%s%s] %d of %d%s"
                .formatted(what, "#".repeat(filled), ".".repeat(WIDTH - filled), done, all, left());
    }

    private String left() {
        if (done == 0 || done == all) {
            return "";
        }
        Duration passed = Duration.ofNanos(clock.bootNanos() - begun);
        Duration left = passed.multipliedBy(all - done).dividedBy(done);
        return ", about %d:%02d left".formatted(left.toMinutes(), left.toSecondsPart());
    }
}
