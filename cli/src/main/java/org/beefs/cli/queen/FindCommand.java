package org.beefs.cli.queen;

import java.util.Map;
import org.beefs.cli.option.StateOption;
import org.beefs.cli.view.Output;
import org.beefs.queenbee.console.model.file.FilePage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Finds files by name. */
@Command(
        name = "find",
        mixinStandardHelpOptions = true,
        description = {
            "Finds files of the hive by name, in no order. Run it where the queen-bee runs.",
            "",
            "It asks the queen-bee, who has all names in memory, and needs no mount. Upper and lower case are the same. "
                    + "Of a file with very many such names only some are shown. Times are local ones. With --json there is a line for each file, with times in UTC."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all that there are were shown",
            "1:there is no such directory, or the queen-bee refuses",
            "7:the queen-bee does not run here"
        },
        footer = {
            "",
            "Examples:",
            "  beefs find report",
            "  beefs find '*.odt' --under /projects",
            "  beefs find report --json | jq .path"
        })
public final class FindCommand implements Runnable {
    @Mixin
    private StateOption state = new StateOption();

    @Parameters(paramLabel = "NAME", description = "With * for any characters and ? for one; or a part of the name.")
    private String name = "";

    @Option(
            names = "--under",
            paramLabel = "PATH",
            description = "Only in this directory, from the root of the hive, at whatever depth.")
    private String under = "/";

    @Mixin
    private Output output = new Output();

    @Override
    public void run() {
        RunningQueenBee queenBee = RunningQueenBee.of(state);
        new FilesShown(output, true)
                .show(after -> queenBee.get(
                        "/find", Map.of("name", name, "under", under, "after", Long.toString(after)), FilePage.class));
    }
}
