package org.beefs.cli.command;

import org.beefs.cli.program.Version;
import org.beefs.cli.view.Output;
import org.beefs.cli.view.Report;
import org.beefs.common.rpc.RpcConnection;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Prints versions. */
@Command(
        name = "version",
        mixinStandardHelpOptions = true,
        description =
                "Shows the versions of the program, of the protocol between its parts, and of Java, and which build it is.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = "0:shown",
        footer = {
            "",
            "Programs of a hive work together when they speak the same protocol. Two machines have the same build when one is a "
                    + "whole copy of the other.",
            "",
            "Example: do two machines fit together?",
            "  beefs version; ssh root@desk7 BEEFS_BUILD=no /opt/beefs/beefs version"
        })
public final class VersionCommand implements Runnable {
    @Mixin
    private Output output = new Output();

    @Override
    public void run() {
        output.show(new Versions(
                Version.ofProgram(),
                Version.build().orElse(null),
                RpcConnection.PROTOCOL,
                Runtime.version().toString()));
    }

    /**
     * What this is.
     *
     * @param beefs the program's version
     * @param build null where nobody has seen it
     * @param protocol between its parts
     */
    private record Versions(String beefs, @Nullable String build, int protocol, String java) implements Report {
        @Override
        public String render() {
            return String.join("\n", new Version().getVersion());
        }
    }
}
