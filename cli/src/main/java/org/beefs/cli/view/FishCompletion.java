package org.beefs.cli.view;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** What the shell fish has to know of commands and options. */
public final class FishCompletion {
    private FishCompletion() {}

    /** Lines for fish. */
    public static String of(CommandLine beefs) {
        List<String> lines = new ArrayList<>();
        beefs.getSubcommands().forEach((name, command) -> {
            lines.add("complete -c beefs -n __fish_use_subcommand -f -a %s -d %s"
                    .formatted(name, quoted(summary(command))));
            command.getCommandSpec().options().stream()
                    .filter(option -> !option.hidden())
                    .forEach(option -> lines.add(line(name, option)));
        });
        return String.join("\n", lines);
    }

    private static String line(String command, OptionSpec option) {
        StringBuilder line = new StringBuilder("complete -c beefs -n '__fish_seen_subcommand_from " + command + "'");
        for (String name : option.names()) {
            line.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
        }
        line.append(option.arity().max() > 0 ? " -r" : "");
        String[] description = option.description();
        return line + (description.length == 0 ? "" : " -d " + quoted(description[0]));
    }

    private static String summary(CommandLine command) {
        String[] description = command.getCommandSpec().usageMessage().description();
        return description.length == 0 ? "" : description[0];
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
