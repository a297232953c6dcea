package org.beefs.cli.command;

import java.util.List;
import org.beefs.cli.process.DaemonStopper;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.ProcessFolder;
import org.jspecify.annotations.Nullable;

/** Which of this machine's desktops a command is about. */
final class RunningDesktops {
    private RunningDesktops() {}

    /**
     * Fails when there is none.
     *
     * @param name only this one; null for all
     */
    static List<ProcessFolder> of(HiveFolder hive, @Nullable String name) {
        List<ProcessFolder> running = (name == null ? hive.desktops() : List.of(hive.desktop(name)))
                .stream()
                        .filter(desktop -> DaemonStopper.living(desktop).isPresent())
                        .toList();
        if (running.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.NOT_RUNNING,
                    name == null ? "no desktop runs in " + hive.path() : name + " does not run in " + hive.path());
        }
        return running;
    }
}
