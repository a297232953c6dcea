package org.beefs.cli.queen;

import java.time.Duration;
import java.util.Map;
import org.beefs.cli.process.InterruptibleWait;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.terminal.ProgressBar;
import org.beefs.cli.terminal.Terminal;
import org.beefs.cli.view.Output;
import org.beefs.common.linux.SystemClock;
import org.beefs.queenbee.console.api.Messages.Done;
import org.beefs.queenbee.console.model.drill.DrillView;
import org.jspecify.annotations.Nullable;

/** Has the running queen-bee prove that the namespace can be rebuilt, and waits for the result. */
public final class RecoveryDrill {
    private static final String PATH = "/recovery/drill";
    private static final Duration LOOK = Duration.ofMillis(250);

    private final RunningQueenBee queenBee;
    private final Output output;
    private @Nullable ProgressBar bar;
    private long shown;

    public RecoveryDrill(RunningQueenBee queenBee, Output output) {
        this.queenBee = queenBee;
        this.output = output;
    }

    /** Fails as a command does when not everything would be back. */
    public void run() {
        queenBee.call("POST", PATH, Map.of(), Map.of(), Done.class);
        DrillView drill =
                InterruptibleWait.run("the drill goes on: beefs recover --drill --cancel stops it", this::follow);
        output.show(drill, String.join("\n", DrillReport.lines(drill)));
        if (!drill.state().equals(DrillView.PASSED)) {
            throw new CommandFailure(ExitCode.FAILED, "the drill has not shown that all would be back");
        }
    }

    private DrillView follow() {
        try {
            DrillView drill = look();
            while (drill.running()) {
                show(drill);
                InterruptibleWait.pause(LOOK);
                drill = look();
            }
            return drill;
        } finally {
            end();
        }
    }

    /** Stops the one that is under way. */
    public void cancel() {
        Done done = queenBee.call("DELETE", PATH, Map.of(), Map.of(), Done.class);
        output.show(done, done.done() + ".");
    }

    private DrillView look() {
        return queenBee.get(PATH, Map.of(), DrillView.class);
    }

    /** The bar begins when it is known how much there is to read. */
    private void show(DrillView drill) {
        if (drill.all() == 0) {
            return;
        }
        ProgressBar present = bar;
        if (present == null) {
            present = new ProgressBar("records", drill.all(), output.err(), Terminal.hasMessages(), new SystemClock());
            bar = present;
        }
        present.advance(Math.max(0, drill.done() - shown));
        shown = Math.max(shown, drill.done());
    }

    private void end() {
        if (bar != null) {
            bar.end();
        }
    }
}
