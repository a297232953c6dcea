package org.beefs.simulator;

import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicLong;

/** A bar that grows: in place on a terminal, in lines of every tenth elsewhere. Thread-safe. */
final class Progress {
    private static final int WIDTH = 40;

    private final String what;
    private final long all;
    private final PrintStream out;
    private final boolean terminal = Boolean.getBoolean("beefs.terminal");
    private final AtomicLong done = new AtomicLong();

    Progress(String what, long all, PrintStream out) {
        this.what = what;
        this.all = all;
        this.out = out;
    }

    void oneMore() {
        long now = done.incrementAndGet();
        long steps = terminal ? 1000 : 10;
        if (now * steps / all != (now - 1) * steps / all) {
            show(now);
        }
    }

    /** Leaves the bar as it is. */
    void end() {
        if (terminal) {
            out.println();
        }
    }

    private synchronized void show(long now) {
        int filled = (int) (now * WIDTH / all);
        String bar = "#".repeat(filled) + ".".repeat(WIDTH - filled);
        String line = "%-16s [%s] %d of %d seeds".formatted(what, bar, now, all);
        if (terminal) {
            out.print("\r" + line);
        } else {
            out.println(line);
        }
        out.flush();
    }
}
