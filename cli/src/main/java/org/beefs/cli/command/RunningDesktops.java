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
     * @param host only this one; null for all
     */
    static List<ProcessFolder> of(HiveFolder hive, @Nullable String host) {
        List<ProcessFolder> running = (host == null ? hive.desktops() : List.of(hive.desktop(host)))
                .stream()
                        .filter(desktop -> DaemonStopper.living(desktop).isPresent())
                        .toList();
        if (running.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.NOT_RUNNING,
                    host == null ? "no desktop runs in " + hive.path() : host + " does not run in " + hive.path());
        }
        return running;
    }
}
