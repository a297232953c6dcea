package org.beefs.cli.completion;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.program.Version;
import org.beefs.cli.state.Reasons;
import org.beefs.cli.view.Output;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes manual pages of what --help says. */
@Command(
        name = "man",
        mixinStandardHelpOptions = true,
        description = "Prints the manual page of a command, or writes those of all commands to a folder.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:done", "5:the folder cannot be written"},
        footer = {
            "",
            "Examples:",
            "  beefs man drain | man -l -",
            "  beefs man bench andrew",
            "  beefs man --to /usr/local/share/man/man1"
        })
public final class ManCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "Default: beefs itself")
    private List<String> names = new ArrayList<>();

    @Option(names = "--to", paramLabel = "DIR", description = "Write all pages there.")
    private @Nullable Path folder;

    @Override
    public void run() {
        CommandLine beefs = Objects.requireNonNull(spec).root().commandLine();
        if (folder == null) {
            Output.say(beefs.getOut(), page(named(beefs)).stripTrailing());
        } else {
            write(beefs, folder);
        }
    }

    private CommandLine named(CommandLine beefs) {
        CommandLine found = beefs;
        for (String name : names) {
            CommandLine next = found.getSubcommands().get(name);
            if (next == null) {
                throw new ParameterException(
                        Objects.requireNonNull(spec).commandLine(), "there is no command " + String.join(" ", names));
            }
            found = next;
        }
        return found;
    }

    private static void write(CommandLine command, Path folder) {
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(ManPage.name(command) + ".1"), page(command));
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FOLDER, "cannot write to " + folder + ": " + Reasons.ofMaking(e));
        }
        command.getSubcommands().values().forEach(each -> write(each, folder));
    }

    private static String page(CommandLine command) {
        return ManPage.of(command, new Version().getVersion()[0]);
    }
}
