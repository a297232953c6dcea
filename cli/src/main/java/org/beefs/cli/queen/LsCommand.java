package org.beefs.cli.queen;

import java.util.List;
import java.util.Map;
import org.beefs.cli.option.StateOption;
import org.beefs.cli.view.Output;
import org.beefs.queenbee.console.model.file.FilePage;
import org.beefs.queenbee.console.model.file.FileView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lists files with their replicas. */
@Command(
        name = "ls",
        mixinStandardHelpOptions = true,
        description = {
            "Lists a directory of the hive, or shows a file, with the desktops that have its replicas. Run it where the queen-bee runs.",
            "",
            "It asks the queen-bee and needs no mount, and lists entries in the order in which they were made. The primary replica's desktop has a "
                    + "star; a replica that is not current, or whose desktop is away, says so. Size and time of a file that is being written "
                    + "are those of its newest version. Times are local ones. With --json there is a line for each file, with times in UTC."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:listed", "1:there is no such file", "7:the queen-bee does not run here"},
        footer = {
            "",
            "Examples:",
            "  beefs ls",
            "  beefs ls /projects/report.odt",
            "  beefs ls /projects --json | jq .name"
        })
public final class LsCommand implements Runnable {
    @Mixin
    private StateOption state = new StateOption();

    @Parameters(arity = "0..1", paramLabel = "PATH", description = "From the root of the hive. Default: the root")
    private String path = "/";

    @Mixin
    private Output output = new Output();

    @Override
    public void run() {
        RunningQueenBee queenBee = RunningQueenBee.of(state);
        FilesShown shown = new FilesShown(output, false);
        FileView file = queenBee.get("/file", Map.of("path", path), FileView.class);
        if (!file.isDirectory()) {
            shown.show(List.of(file));
            return;
        }
        shown.show(after -> queenBee.get(
                "/entries",
                Map.of("inode", Long.toString(file.inode()), "after", Long.toString(after)),
                FilePage.class));
    }
}
