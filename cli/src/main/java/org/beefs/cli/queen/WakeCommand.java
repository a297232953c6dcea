package org.beefs.cli.queen;

import org.beefs.cli.option.StateOption;
import org.beefs.cli.view.Output;
import org.beefs.queenbee.console.api.Messages.Done;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Wakes a desktop. */
@Command(
        name = "wake",
        mixinStandardHelpOptions = true,
        description = {
            "Wakes a desktop that is asleep or switched off, with Wake-on-LAN. Run it where the queen-bee runs.",
            "",
            "The queen-bee sends a magic packet to the network cards that the desktop had when it was last here, in its own network and in "
                    + "the desktop's. That the packet arrives cannot be told: beefs status shows when the desktop is awake. It has to be "
                    + "switched on in the desktop's firmware and network card (ethtool -s CARD wol g), and most routers do not pass it "
                    + "on to other networks."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is called",
            "1:there is no such desktop, it is awake already, or no hardware address of it is known",
            "7:the queen-bee does not run here"
        },
        footer = {"", "Examples:", "  beefs wake desktop3", "  beefs wake desktop3 --json"})
public final class WakeCommand implements Runnable {
    @Mixin
    private StateOption state = new StateOption();

    @Parameters(paramLabel = "DESKTOP", description = "Its name, as beefs status shows it.")
    private String desktop = "";

    @Mixin
    private Output output = new Output();

    @Override
    public void run() {
        Done done = RunningQueenBee.of(state).act("POST", desktop, "wake");
        output.done(desktop, done.done() + ".");
    }
}
