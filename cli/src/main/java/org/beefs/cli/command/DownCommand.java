package org.beefs.cli.command;

import java.util.ArrayList;
import java.util.List;
import org.beefs.cli.option.StateOption;
import org.beefs.cli.process.DaemonStopper;
import org.beefs.cli.process.Hive;
import org.beefs.cli.process.HiveLock;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.terminal.ProgressBar;
import org.beefs.cli.terminal.Terminal;
import org.beefs.cli.view.Output;
import org.beefs.cli.view.Report;
import org.beefs.common.linux.SystemClock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Stops what {@code up} started. */
@Command(
        name = "down",
        mixinStandardHelpOptions = true,
        description = {
            "Unmounts the hive and stops all its daemons on this machine.",
            "",
            "A daemon that has not ended after 20 seconds is killed, and its mounts are taken away. Files, and where they "
                    + "were mounted, stay in the state folder: the next up finds them again.",
            "",
            "Daemons of a hive that has other machines too are stopped through their units; down does so only where --state names the folder."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:nothing runs any more",
            "1:something could not be stopped, or is stopped through units",
            "5:the state folder cannot be used"
        },
        footer = {"", "Examples:", "  beefs down", "  beefs down --state /var/lib/hive"})
public final class DownCommand implements Runnable {
    @Mixin
    private StateOption state = new StateOption();

    @Mixin
    private Output output = new Output();

    @Override
    public void run() {
        HiveFolder folder = state.hive();
        if (!folder.exists() && !output.isJson()) {
            output.say("There is no hive in " + folder.path() + ".");
            return;
        }
        Units.requireNone(folder, state.isTyped(), "down", "systemctl stop beefs-desktop  or  beefs-queenbee");
        output.show(folder.exists() ? stop(folder) : new Stopped(List.of(), List.of()));
    }

    private Stopped stop(HiveFolder folder) {
        try (HiveLock _ = HiveLock.takeToStop(folder)) {
            List<String> running = folder.processes().stream()
                    .filter(process -> DaemonStopper.living(process).isPresent())
                    .map(ProcessFolder::name)
                    .toList();
            List<String> killed = new ArrayList<>();
            ProgressBar bar = new ProgressBar(
                    "stopping", running.size(), output.err(), Terminal.hasMessages(), new SystemClock());
            new Hive(folder, System.getenv()).stop(daemon -> killed.add(daemon.name()), _ -> bar.advance());
            bar.end();
            killed.forEach(daemon -> output.warn(daemon + " did not stop in time and was killed"));
            return new Stopped(running, killed);
        }
    }

    /**
     * What has ended.
     *
     * @param killed those of them that did not end by themselves
     */
    private record Stopped(List<String> stopped, List<String> killed) implements Report {
        @Override
        public String render() {
            return stopped.isEmpty() ? "Nothing was running." : "Stopped " + String.join(", ", stopped) + ".";
        }
    }
}
