package org.beefs.cli.completion;

import static org.beefs.cli.completion.Described.summary;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.beefs.cli.terminal.ShellWord;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** A script for the shell zsh: to be sourced, or a file {@code _beefs} in its {@code fpath}. */
final class ZshCompletion {
    private static final String END = """
            if [[ $funcstack[1] == _beefs ]]; then
              _beefs "$@"
            else
              (( $+functions[compdef] )) || { autoload -U compinit && compinit }
              compdef _beefs beefs
            fi""";

    private final CommandLine beefs;
    private final List<String> lines = new ArrayList<>(List.of("#compdef beefs"));

    private ZshCompletion(CommandLine beefs) {
        this.beefs = beefs;
    }

    static String of(CommandLine beefs) {
        ZshCompletion script = new ZshCompletion(beefs);
        script.add(beefs, "_beefs");
        script.lines.add(END);
        return String.join("\n", script.lines);
    }

    /** A function for a command, and those for the commands in it. */
    private void add(CommandLine command, String function) {
        List<String> arguments = new ArrayList<>();
        Described.options(command).forEach(option -> arguments.add(argument(option)));
        lines.add(function + "() {");
        if (command.getSubcommands().isEmpty()) {
            Described.parameters(command).forEach(parameter -> arguments.add(argument(parameter)));
            lines.add("  _arguments -S " + String.join(" ", arguments));
        } else {
            arguments.add("'1: :->command' '*:: :->arguments'");
            lines.add("  local curcontext=$curcontext state line");
            lines.add("  _arguments -C " + String.join(" ", arguments));
            addSubcommands(command, function);
        }
        lines.add("}");
        command.getSubcommands().forEach((name, each) -> add(each, function(function, name)));
    }

    private void addSubcommands(CommandLine command, String function) {
        Map<String, CommandLine> subcommands = command.getSubcommands();
        lines.add("  case $state in");
        lines.add("    command)");
        lines.add("      local -a commands=(");
        subcommands.forEach((name, each) -> lines.add(
                "        " + ShellWord.quoted(name + ":" + summary(each).replace(":", "\\:"))));
        lines.add("      )");
        lines.add("      _describe -t commands command commands ;;");
        lines.add("    arguments)");
        lines.add("      case $words[1] in");
        subcommands.keySet().forEach(name -> lines.add("        " + name + ") " + function(function, name) + " ;;"));
        lines.add("      esac ;;");
        lines.add("  esac");
    }

    private static String function(String outer, String name) {
        return outer + "_" + name.replace('-', '_');
    }

    private String argument(OptionSpec option) {
        String value = Described.takesValue(option) ? ":" + option.paramLabel() + ":" + action(option) : "";
        String rest = "[" + summary(option).replaceAll("([\\[\\]\\\\])", "\\\\$1") + "]" + value.replace("=", "\\=");
        if (option.names().length > 1) {
            // Together they are given once.
            String all = String.join(" ", option.names());
            return "'(" + all + ")'{" + all.replace(' ', ',') + "}" + ShellWord.quoted(rest);
        }
        String name = option.longestName() + (Described.takesValue(option) ? "=" : "");
        return ShellWord.quoted((option.isMultiValue() ? "*" : "") + name + rest);
    }

    private String action(OptionSpec option) {
        return action(Values.of(option, beefs));
    }

    private String argument(PositionalParamSpec parameter) {
        String position =
                parameter.isMultiValue() ? "*:" : (parameter.index().min() + 1) + (parameter.required() ? ":" : "::");
        return ShellWord.quoted(position + parameter.paramLabel() + ":" + action(Values.of(parameter, beefs)));
    }

    private static String action(Values values) {
        return switch (values.kind()) {
            case WORDS -> "(" + String.join(" ", values.words()) + ")";
            case FILES -> "_files";
            case FOLDERS -> "_files -/";
            case ANYTHING -> " ";
        };
    }
}
