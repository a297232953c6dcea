package org.beefs.cli.command;

import org.beefs.cli.program.Version;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The root of all {@link Commands}. */
@Command(
        name = "beefs",
        versionProvider = Version.class,
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "BeeFS: one POSIX file system of the disk space that lies idle on a company's desktops.",
        footer = {
            "",
            "Try it:",
            "  ./beefs up             a queen-bee and three desktops on this machine, mounted at ./hive",
            "  ls -la hive; df -h hive; cp -r /usr/include hive/",
            "  ./beefs status         what runs where",
            "  ./beefs down           stops it all; the next up finds all files again",
            "",
            "beefs COMMAND --help tells more about a command. ./beefs test builds and runs all tests,",
            "./beefs simulate runs whole hives in virtual time.",
            "BEEFS_STATE names the state folder, BEEFS_JAVA_OPTS gives the daemons further JVM flags,",
            "BEEFS_LOG the level of their logs (INFO, DEBUG)."
        })
public final class Beefs implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(spec.commandLine(), "beefs needs a command");
        }
    }
}
