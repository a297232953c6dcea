package org.beefs.cli.queen;

import java.util.Map;
import org.beefs.cli.option.StateOption;
import org.beefs.cli.view.Output;
import org.beefs.queenbee.console.model.file.Usage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Adds up a tree. */
@Command(
        name = "du",
        mixinStandardHelpOptions = true,
        description = {
            "Shows how much a directory of the hive takes, and what in it takes most. Run it where the queen-bee runs.",
            "",
            "It asks the queen-bee, who has all sizes in memory, and needs no mount. SIZE is how long files are, STORED what all their replicas "
                    + "take on the desktops. A file with several names counts once; one that is being written counts with its newest version."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:it was told", "1:there is no such file", "7:the queen-bee does not run here"},
        footer = {
            "",
            "Examples:",
            "  beefs du",
            "  beefs du /projects/plans",
            "  beefs du /projects --json | jq .total.bytes"
        })
public final class DuCommand implements Runnable {
    @Mixin
    private StateOption state = new StateOption();

    @Parameters(arity = "0..1", paramLabel = "PATH", description = "From the root of the hive. Default: the root")
    private String path = "/";

    @Mixin
    private Output output = new Output();

    @Override
    public void run() {
        Usage usage = RunningQueenBee.of(state).get("/usage", Map.of("path", path), Usage.class);
        output.show(usage, UsageView.render(usage));
    }
}
