package org.beefs.cli.completion;

import static org.beefs.cli.completion.Described.summary;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** A script for the shell fish. */
final class FishCompletion {
    /** The words before the cursor that are no options begin with the names of the commands. */
    private static final String FUNCTIONS = """
            function __beefs_words
                set -l words (commandline -opc)
                string match -v -- '-*' $words[2..]
            end
            function __beefs_at
                set -l words (__beefs_words)
                test "$words" = "$argv"
            end
            function __beefs_in
                set -l words (__beefs_words)
                test (count $words) -ge (count $argv); and test "$words[1..$(count $argv)]" = "$argv"
            end
            complete -c beefs -f""";

    private final CommandLine beefs;
    private final List<String> lines = new ArrayList<>(List.of(FUNCTIONS));

    private FishCompletion(CommandLine beefs) {
        this.beefs = beefs;
    }

    static String of(CommandLine beefs) {
        FishCompletion script = new FishCompletion(beefs);
        script.add(beefs, "");
        return String.join("\n", script.lines);
    }

    /** @param path the command's name and those before it, each after a space */
    private void add(CommandLine command, String path) {
        command.getSubcommands()
                .forEach((name, each) -> line("__beefs_at" + path, "-a " + name + " -d " + quoted(summary(each))));
        String condition = command.getSubcommands().isEmpty() ? "__beefs_in" : "__beefs_at";
        Described.options(command).forEach(option -> line(condition + path, line(option)));
        Described.parameters(command).forEach(parameter -> add(condition + path, parameter));
        command.getSubcommands().forEach((name, each) -> add(each, path + " " + name));
    }

    private void add(String condition, PositionalParamSpec parameter) {
        String values = values(Values.of(parameter, beefs));
        if (!values.isEmpty()) {
            line(condition, values);
        }
    }

    private void line(String condition, String rest) {
        lines.add("complete -c beefs -n '" + condition + "' " + rest);
    }

    private String line(OptionSpec option) {
        StringBuilder line = new StringBuilder();
        for (String name : option.names()) {
            line.append(name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.substring(1))
                    .append(' ');
        }
        if (Described.takesValue(option)) {
            Values values = Values.of(option, beefs);
            // With -x there are no files beside what else may stand there.
            line.append(values.kind() == Values.Kind.FILES ? "-r " : "-x ")
                    .append(values(values))
                    .append(' ');
        }
        return line + "-d " + quoted(summary(option));
    }

    private static String values(Values values) {
        return switch (values.kind()) {
            case WORDS -> "-a " + quoted(String.join(" ", values.words()));
            case FILES -> "-F";
            case FOLDERS -> "-a '(__fish_complete_directories)'";
            case ANYTHING -> "";
        };
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
