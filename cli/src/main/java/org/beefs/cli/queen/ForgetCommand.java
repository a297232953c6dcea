package org.beefs.cli.queen;

import org.beefs.cli.option.StateOption;
import org.beefs.cli.view.Output;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Forgets a desktop. */
@Command(
        name = "forget",
        mixinStandardHelpOptions = true,
        description = {
            "Forgets a desktop that does not come back, for good. Run it where the queen-bee runs.",
            "",
            "It has to be given up (beefs lost) or drained (beefs drain) before, and to be off, and nothing may be there that the hive "
                    + "counts on: otherwise the command says what that is. Then no list shows the desktop any more, nothing is kept for "
                    + "it, and a recovery neither asks for it nor believes it.",
            "",
            "Its folder is refused should it come: the desktop needs an empty one then. What is in the old one stays there, to be looked "
                    + "at by hand.",
            "",
            "Of a desktop that runs with an empty folder, because its disk was replaced, it forgets the folders that it had before."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is forgotten",
            "1:there is no such desktop, or it may come back, or has something that the hive counts on",
            "7:the queen-bee does not run here"
        },
        footer = {"", "Example:", "  beefs lost desktop3", "  beefs forget desktop3"})
public final class ForgetCommand implements Runnable {
    @Mixin
    private StateOption state = new StateOption();

    @Parameters(paramLabel = "DESKTOP", description = "Its name, as beefs status shows it.")
    private String desktop = "";

    @Mixin
    private Output output = new Output();

    @Override
    public void run() {
        RunningQueenBee.of(state).act("POST", desktop, "forget");
        output.done(desktop, "What " + desktop + " had and is away is forgotten.");
    }
}
