package org.beefs.cli.command;

import java.util.concurrent.Callable;
import org.beefs.cli.option.StateOption;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.view.Output;
import org.beefs.cli.view.StatusCollector;
import org.beefs.cli.view.StatusReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows what runs where. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = {
            "Shows the hive's daemons on this machine, its honeycombs with their space, and its mounts.",
            "",
            "It asks the daemons and never touches a mount, so it answers within seconds whatever hangs."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all daemons run and answer",
            "7:there is no hive, or some daemon is stopped, disconnected or unresponsive (no answer in 5 s)"
        },
        footer = {
            "",
            "Examples:",
            "  beefs status",
            "  beefs status --json | jq -r '.processes[] | .name + \" \" + .condition'"
        })
public final class StatusCommand implements Callable<Integer> {
    @Mixin
    private StateOption state = new StateOption();

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() {
        StatusReport report = StatusCollector.collect(state.existingHive());
        output.show(report);
        return report.allRunning() ? 0 : ExitCode.NOT_RUNNING;
    }
}
