package org.beefs.cli.command;

import java.util.concurrent.Callable;
import org.beefs.cli.option.StateOption;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.queen.AttentionReport;
import org.beefs.cli.queen.RunningQueenBee;
import org.beefs.cli.view.Output;
import org.beefs.cli.view.StatusCollector;
import org.beefs.cli.view.StatusReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows what runs where. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = {
            "Shows the hive's daemons on this machine, its honeycombs with their space, and its mounts.",
            "",
            "It asks the daemons and never touches a mount, so it answers within seconds whatever hangs.",
            "",
            "With --check it shows instead, where the queen-bee runs, what needs somebody's attention in the whole hive, as the console does: for "
                    + "a timer or whatever watches the server. A desktop that is switched off needs none before the grace time is over."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all daemons run and answer; with --check: and nothing needs attention",
            "1:with --check: something needs attention, or that was not found out",
            "7:there is no hive, or some daemon is stopped, disconnected or unresponsive (no answer in 5 s)"
        },
        footer = {
            "",
            "Examples:",
            "  beefs status",
            "  beefs status --check",
            "  beefs status --json | jq -r '.processes[] | .name + \" \" + .condition'"
        })
public final class StatusCommand implements Callable<Integer> {
    @Mixin
    private StateOption state = new StateOption();

    @Option(names = "--check", description = "Show only what needs attention, and end with 1 if anything does.")
    private boolean check;

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() {
        StatusReport report = StatusCollector.collect(state.existingHive());
        if (check && report.allRunning()) {
            return check();
        }
        output.show(report);
        return report.allRunning() ? 0 : ExitCode.NOT_RUNNING;
    }

    private int check() {
        AttentionReport report = AttentionReport.of(RunningQueenBee.of(state));
        output.show(report);
        return report.attention().isEmpty() ? 0 : ExitCode.FAILED;
    }
}
