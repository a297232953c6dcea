package org.beefs.cli.command;

import java.util.Objects;
import org.beefs.cli.view.FishCompletion;
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
        footer = {
            "",
            "Examples:",
            "  source <(beefs completion bash)",
            "  beefs completion zsh > ~/.beefs-completion && echo 'source ~/.beefs-completion' >> ~/.zshrc",
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

    @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
    private Shell shell = Shell.BASH;

    @Override
    public void run() {
        CommandLine beefs = Objects.requireNonNull(spec).root().commandLine();
        Console.of(spec)
                .say(
                        switch (shell) {
                            // The script for bash does it in zsh too, where it loads what is needed for that.
                            case BASH, ZSH -> AutoComplete.bash("beefs", beefs);
                            case FISH -> FishCompletion.of(beefs);
                        });
    }
}
