package org.beefs.cli.file;

import java.nio.file.Path;
import org.beefs.cli.view.Report;
import picocli.CommandLine.Command;

/** Tells how a file is to be replicated. */
@Command(
        name = "get",
        mixinStandardHelpOptions = true,
        description = {
            "Shows how a file is to be replicated, or what files get that are made in a directory: what beefs set changes. Where its "
                    + "replicas are tells beefs info.",
            "",
            "What is its own was set for it, or for its directory before it was made. What is from the hive changes with the queen-bee's "
                    + "configuration. There are never fewer replicas than the P-factor says."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:it was told", "1:the path is in no hive, or the hive does not answer"},
        footer = {"", "Examples:", "  beefs get hive/thesis", "  beefs get --json hive/thesis | jq .replicas"})
public final class GetCommand extends FileReportCommand {
    @Override
    Report report(Path file) {
        return FileSettings.of(file);
    }
}
