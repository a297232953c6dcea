package org.beefs.cli.queen;

import org.beefs.cli.option.StateOption;
import org.beefs.cli.view.Output;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Gives a desktop up. */
@Command(
        name = "lost",
        mixinStandardHelpOptions = true,
        description = {
            "Says that a desktop does not come back, or not soon. Run it where the queen-bee runs.",
            "",
            "Files that were written there go on with a replica on another desktop, as it was last copied: what was written after that "
                    + "is not in them. What the desktop held is copied anew from other desktops. Files of which it has the only replica "
                    + "stay as they are and cannot be read.",
            "",
            "If the desktop does come back, it is taken in again, and what only it has becomes files of their own beside the others. "
                    + "A desktop that is just switched off needs none of this: after the grace time (queenbee.grace-time, 4d) it "
                    + "counts as lost by itself, but for files that were being written.",
            "",
            "Of a desktop that runs with an empty folder, because its disk was replaced, it gives up what was in the folder before."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it counts as lost; copies follow",
            "1:there is no such desktop, or it is connected and nothing of it is away",
            "7:the queen-bee does not run here"
        },
        footer = {"", "Example:", "  beefs lost desktop3"})
public final class LostCommand implements Runnable {
    @Mixin
    private StateOption state = new StateOption();

    @Parameters(paramLabel = "DESKTOP", description = "Its name, as beefs status shows it.")
    private String desktop = "";

    @Mixin
    private Output output = new Output();

    @Override
    public void run() {
        RunningQueenBee.of(state).act("POST", desktop, "lost");
        output.done(
                desktop,
                "What " + desktop
                        + " held and is away counts as lost. beefs status tells how many files are still to be copied.");
    }
}
