package org.beefs.cli.command;

import org.beefs.cli.configuration.HiveSetup;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.HiveFolder;

/** The units that start and stop the daemons of a hive of several machines. */
final class Units {
    private Units() {}

    /**
     * Fails where units do what a command is to do: nobody would start again what it has started, and systemd is
     * content with daemons that it has ended.
     *
     * @param typed whether somebody has named the folder to the command itself, and so knows what he does
     * @param instead does it through the units
     */
    static void requireNone(HiveFolder hive, boolean typed, String command, String instead) {
        if (!typed && HiveSetup.of(hive).isOfSeveralMachines()) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "the hive in %1$s has other machines too, and units start its daemons: run  %2$s;  beefs %3$s --state %1$s  does it without them"
                            .formatted(hive.path(), instead, command));
        }
    }
}
