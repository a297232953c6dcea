package org.beefs.cli.command;

import java.util.Map;
import org.beefs.queenbee.console.api.Api;
import org.beefs.queenbee.console.api.Messages.Done;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private StateOption state = new StateOption();

    @Parameters(paramLabel = "DESKTOP", description = "Its name, as beefs status shows it.")
    private String desktop = "";

    @Option(names = "--json", description = "Print JSON for scripts; its fields stay as they are.")
    private boolean json;

    @Override
    public void run() {
        String path = "/desktops/" + Api.encoded(desktop) + "/wake";
        Done done = RunningQueenBee.of(state).call("POST", path, Map.of(), Map.of(), Done.class);
        Console.of(spec).done(desktop, done.done() + ".", json);
    }
}
