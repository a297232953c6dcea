package org.beefs.cli.command;

import java.util.List;
import org.beefs.cli.process.DaemonStopper;
import org.beefs.cli.process.Hive;
import org.beefs.cli.process.HiveLock;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.ProcessFolder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Stops what {@code up} started. */
@Command(
        name = "down",
        mixinStandardHelpOptions = true,
        description = {
            "Unmounts the hive and stops all its daemons on this machine.",
            "",
            "A daemon that has not ended after 20 seconds is killed, and its mounts are taken away. Files, and where they "
                    + "were mounted, stay in the state folder: the next up finds them again."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:nothing runs any more",
            "1:something could not be stopped",
            "5:the state folder cannot be used"
        },
        footer = {"", "Example:", "  beefs down --state /var/lib/hive"})
public final class DownCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private StateOption state = new StateOption();

    @Override
    public void run() {
        Console console = Console.of(spec);
        HiveFolder folder = state.hive();
        if (!folder.exists()) {
            console.say("There is no hive in " + folder.path() + ".");
            return;
        }
        try (HiveLock _ = HiveLock.take(folder)) {
            List<String> running = folder.processes().stream()
                    .filter(process -> DaemonStopper.living(process).isPresent())
                    .map(ProcessFolder::name)
                    .toList();
            new Hive(folder, System.getenv())
                    .stop(killed -> console.warn(killed.name() + " did not stop in time and was killed"));
            console.say(running.isEmpty() ? "Nothing was running." : "Stopped " + String.join(", ", running) + ".");
        }
    }
}
