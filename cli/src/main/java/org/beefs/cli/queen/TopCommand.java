package org.beefs.cli.queen;

import java.time.Duration;
import java.util.Map;
import org.beefs.cli.option.StateOption;
import org.beefs.cli.option.TypedTime;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.terminal.Terminal;
import org.beefs.cli.view.Output;
import org.beefs.queenbee.console.model.client.ActivityView;
import org.beefs.queenbee.console.model.snapshot.HiveView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows live who does what. */
@Command(
        name = "top",
        mixinStandardHelpOptions = true,
        description = {
            "Shows who asks how much of the queen-bee, again and again until Ctrl-C. Run it where the queen-bee runs.",
            "",
            "A user is shown by the name that this machine has for his number, or by the number; at his desktop he may have another name. "
                    + "daemon is what a desktop does by itself. Reading and writing what lies on a user's own desktop, and what his "
                    + "mount knows already, asks the queen-bee nothing and is not seen here. With --json there is a line for each look."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:shown",
            "1:the queen-bee refuses, or does not answer any more",
            "7:the queen-bee does not run here",
            "130:ended by Ctrl-C"
        },
        footer = {"", "Examples:", "  beefs top", "  beefs top --interval 10s", "  beefs top --times 1 --json"})
public final class TopCommand implements Runnable {
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final String CLEAR_SCREEN = "\033[H\033[2J";

    @Mixin
    private StateOption state = new StateOption();

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            defaultValue = "2s",
            description = "From one look to the next, up to an hour. Default: ${DEFAULT-VALUE}.")
    private String interval = "2s";

    @Option(names = "--times", paramLabel = "N", description = "End after so many looks.")
    private int times = Integer.MAX_VALUE;

    @Mixin
    private Output output = new Output();

    private final UserNames names = new UserNames();

    @Override
    public void run() {
        if (times < 1) {
            throw new CommandFailure(ExitCode.USAGE, "--times is at least 1");
        }
        Duration wait = TypedTime.parse(
                "--interval", interval, LONGEST, "--interval is longer than nothing, and at most an hour");
        RunningQueenBee queenBee = RunningQueenBee.of(state);
        ActivityView before = look(queenBee);
        for (int seen = 0; seen < times && !output.endsWithin(wait); seen++) {
            ActivityView after = look(queenBee);
            show(TopReport.between(before, after, queenBee.get("/hive", Map.of(), HiveView.class), names::of));
            before = after;
        }
    }

    private void show(TopReport report) {
        output.line(report, (Terminal.isScreen() ? CLEAR_SCREEN : "") + TopView.render(report));
    }

    private static ActivityView look(RunningQueenBee queenBee) {
        return queenBee.get("/activity", Map.of(), ActivityView.class);
    }
}
