package org.beefs.cli.file;

import java.nio.file.Path;
import org.beefs.cli.view.Report;
import picocli.CommandLine.Command;

/** Tells where a file's replicas are. */
@Command(
        name = "info",
        mixinStandardHelpOptions = true,
        description = {
            "Shows how a file is replicated: on which desktops, which versions, whether they are current, and which desktop has to "
                    + "come back when none of the current ones is awake. Of a directory it shows what files get that are made in it."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:it was told", "1:the path is in no hive, or the hive does not answer"},
        footer = {"", "Examples:", "  beefs info hive/report.txt", "  beefs info --json hive/report.txt | jq .places"})
public final class InfoCommand extends FileReportCommand {
    @Override
    Report report(Path file) {
        return FileInfo.of(file);
    }
}
