package org.beefs.cli.queen;

import java.time.Duration;
import org.beefs.cli.control.DaemonStatus;
import org.beefs.cli.control.DaemonStatus.HiveSummary;
import org.beefs.cli.option.StateOption;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.view.Output;
import org.beefs.cli.view.SpaceReport;
import org.beefs.cli.view.StatusCollector;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows space. */
@Command(
        name = "df",
        mixinStandardHelpOptions = true,
        description = {
            "Shows how much users can still store, and how much each desktop gives. Run it where the queen-bee runs.",
            "",
            "Each file takes its length once for each of its replicas. So what users can store, which df(1) shows too, is the space of "
                    + "all desktops that are awake divided by the replicas of a file (queenbee.replicas)."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:it was told", "1:the queen-bee does not answer", "7:the queen-bee does not run here"},
        footer = {"", "Examples:", "  beefs df", "  beefs df --json | jq .hive.available"})
public final class DfCommand implements Runnable {
    private static final Duration ANSWER = Duration.ofSeconds(5);

    @Mixin
    private StateOption state = new StateOption();

    @Mixin
    private Output output = new Output();

    @Override
    public void run() {
        DaemonStatus status = RunningQueenBee.of(state).ask(queenBee -> queenBee.status(ANSWER));
        HiveSummary hive = status.hive();
        if (hive == null) {
            throw new CommandFailure(ExitCode.FAILED, "the queen-bee does not tell of her hive");
        }
        SpaceReport report = new SpaceReport(hive, StatusCollector.inOrder(status.honeycombs()));
        output.show(report);
    }
}
