package org.beefs.cli.view;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.beefs.cli.terminal.ProgressBar;
import org.beefs.cli.terminal.Visible;
import org.beefs.common.time.Clock;
import org.jspecify.annotations.Nullable;

/** Shows what a recovery tells; on a terminal a bar for how much it has collected. For one thread. */
public final class RecoveryLines implements Consumer<String>, AutoCloseable {
    private static final Pattern COLLECTED = Pattern.compile("(\\d+) of (\\d+) records collected");

    private final PrintWriter lines;
    private final PrintWriter err;
    private final boolean terminal;
    private final Clock clock;
    private final List<String> told = new ArrayList<>();
    private @Nullable ProgressBar bar;
    private long collected;

    /**
     * @param lines where it is told
     * @param err where the bar is drawn
     * @param terminal as {@link ProgressBar} has it
     */
    public RecoveryLines(PrintWriter lines, PrintWriter err, boolean terminal, Clock clock) {
        this.lines = lines;
        this.err = err;
        this.terminal = terminal;
        this.clock = clock;
    }

    @Override
    public void accept(String line) {
        Matcher progress = COLLECTED.matcher(line);
        if (terminal && progress.find()) {
            advance(Long.parseLong(progress.group(1)), Long.parseLong(progress.group(2)));
            return;
        }
        close();
        told.add(line);
        lines.println(Visible.of(line));
        lines.flush();
    }

    /** All that it has told beside how far it is. */
    public List<String> told() {
        return List.copyOf(told);
    }

    private void advance(long now, long all) {
        if (bar == null) {
            bar = new ProgressBar("recovery", all, err, true, clock);
        }
        bar.advance(now - collected);
        collected = now;
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.end();
        }
    }
}
