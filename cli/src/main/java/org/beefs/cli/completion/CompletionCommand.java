package org.beefs.cli.completion;

import java.util.Objects;
import org.beefs.cli.option.Words;
import org.beefs.cli.view.Output;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lets shells complete commands and options. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = "Prints a script that lets a shell complete the commands and options of beefs.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:printed"},
        footer = {
            "",
            "Examples:",
            "  source <(beefs completion bash)         for this shell; for all, in ~/.bashrc",
            "  source <(beefs completion zsh)          for this shell; for all, in ~/.zshrc",
            "  beefs completion fish > ~/.config/fish/completions/beefs.fish"
        })
public final class CompletionCommand implements Runnable {
    /** Shells. */
    enum Shell {
        BASH,
        ZSH,
        FISH
    }

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            paramLabel = "SHELL",
            completionCandidates = Shells.class,
            converter = Shells.class,
            description = "bash, zsh or fish.")
    private Shell shell = Shell.BASH;

    private static final class Shells extends Words<Shell> {
        Shells() {
            super(Shell.class);
        }
    }

    @Override
    public void run() {
        CommandLine beefs = Objects.requireNonNull(spec).root().commandLine();
        String script = switch (shell) {
            case BASH -> AutoComplete.bash("beefs", beefs);
            case ZSH -> ZshCompletion.of(beefs);
            case FISH -> FishCompletion.of(beefs);
        };
        Output.say(beefs.getOut(), script);
    }
}
