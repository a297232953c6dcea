package org.beefs.cli.view;

import java.io.PrintWriter;
import org.beefs.cli.process.Hive;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.terminal.ProgressBar;
import org.beefs.common.time.Clock;

/** Shows how daemons start: a bar on a terminal, elsewhere a line for each. For one thread. */
public final class DaemonProgress implements Hive.Starts, AutoCloseable {
    private final PrintWriter lines;
    private final boolean terminal;
    private final ProgressBar bar;

    /**
     * @param daemons how many start at most
     * @param lines where there is no terminal
     * @param err where the bar is drawn
     * @param terminal as {@link ProgressBar} has it
     */
    public DaemonProgress(int daemons, PrintWriter lines, PrintWriter err, boolean terminal, Clock clock) {
        this.lines = lines;
        this.terminal = terminal;
        bar = new ProgressBar("starting", daemons, err, terminal, clock);
    }

    @Override
    public void starting(ProcessFolder daemon) {
        if (!terminal) {
            lines.println("Starting " + daemon.name() + ".");
            lines.flush();
        }
    }

    @Override
    public void awaiting(ProcessFolder daemon) {
        if (terminal) {
            bar.end();
        }
        lines.println("Waiting for " + daemon.name() + ", which is starting or stopping.");
        lines.flush();
    }

    @Override
    public void ready(ProcessFolder daemon) {
        if (terminal) {
            bar.advance();
        }
    }

    @Override
    public void close() {
        if (terminal) {
            bar.end();
        }
    }
}
