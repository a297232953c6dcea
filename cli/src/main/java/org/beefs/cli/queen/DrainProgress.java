package org.beefs.cli.queen;

import java.io.PrintWriter;
import org.beefs.cli.terminal.ProgressBar;
import org.beefs.cli.terminal.Visible;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.console.model.snapshot.DrainView;
import org.jspecify.annotations.Nullable;

/** Shows how a desktop is emptied: a bar, and a line whenever there is something new to wait for. For one thread. */
final class DrainProgress {
    /** So often in a row nothing but what cannot leave must be seen, before that is believed. */
    private static final int STUCK_LOOKS = 10;

    /** How far it is. */
    enum State {
        UNDER_WAY,
        EMPTY,
        /** All that is left has no other place. */
        STUCK,
        /** Nobody expects the desktop back, which alone could go on. */
        GIVEN_UP
    }

    private final String desktop;
    private final PrintWriter out;
    private final boolean terminal;
    private final Clock clock;
    private @Nullable ProgressBar bar;
    private long least;
    private String told = "";
    private int stuckLooks;

    /** @param terminal as {@link ProgressBar} has it */
    DrainProgress(String desktop, PrintWriter out, boolean terminal, Clock clock) {
        this.desktop = desktop;
        this.out = out;
        this.terminal = terminal;
        this.clock = clock;
    }

    /**
     * Shows what was seen.
     *
     * @param connected whether the desktop is there
     */
    State show(DrainView drain, boolean connected) {
        if (!drain.counted()) {
            return State.UNDER_WAY;
        }
        advance(drain.replicas());
        if (drain.done()) {
            end();
            return State.EMPTY;
        }
        if (drain.givenUp()) {
            return State.GIVEN_UP;
        }
        boolean stuck = connected && drain.replicas() > 0 && drain.replicas() == drain.stuck();
        stuckLooks = stuck ? stuckLooks + 1 : 0;
        tell(waiting(drain, connected));
        return stuckLooks >= STUCK_LOOKS ? State.STUCK : State.UNDER_WAY;
    }

    /** Takes the bar away. */
    void end() {
        if (bar != null) {
            bar.end();
        }
    }

    private void advance(long left) {
        if (bar == null) {
            bar = new ProgressBar(desktop, left, out, terminal, clock);
            least = left;
        } else if (left < least) {
            bar.advance(least - left);
            least = left;
        }
    }

    private void tell(String line) {
        if (!line.equals(told) && !line.isEmpty()) {
            end();
            out.println(line);
            out.flush();
        }
        told = line;
    }

    /**
     * The line says what it is about, and not how much of it there is, so that it comes again only when that is news.
     */
    private String waiting(DrainView drain, boolean connected) {
        if (drain.needsDesktop() && !connected) {
            return desktop + " is away: switch it on";
        } else if (!drain.examples().isEmpty()) {
            return "waiting for files that are in use, or have no other place now: "
                    + Visible.of(String.join(", ", drain.examples()));
        } else if (drain.replicas() > 0) {
            return "";
        }
        return drain.pendingDrops() > 0
                ? "waiting for %s to remove what has left".formatted(desktop)
                : "waiting for other desktops to write down the records that it has";
    }
}
