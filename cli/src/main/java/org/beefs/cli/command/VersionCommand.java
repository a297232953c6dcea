package org.beefs.cli.command;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints versions. */
@Command(
        name = "version",
        mixinStandardHelpOptions = true,
        description = "Shows the versions of the program, of the protocol between its parts, and of Java.",
        footer = {
            "",
            "Programs of a hive work together when they speak the same protocol.",
            "",
            "Example: do two machines fit together?",
            "  beefs version; ssh desk7 beefs version"
        })
public final class VersionCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        PrintWriter out = Console.of(spec).out();
        for (String line : new Version().getVersion()) {
            out.println(line);
        }
    }
}
