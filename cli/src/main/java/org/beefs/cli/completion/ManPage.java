package org.beefs.cli.completion;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** A manual page, as man(7) has it, of what a command says with --help. */
final class ManPage {
    private static final String SECTION = "1";

    private final CommandLine command;
    private final UsageMessageSpec usage;
    private final List<String> lines = new ArrayList<>();

    private ManPage(CommandLine command) {
        this.command = command;
        this.usage = command.getCommandSpec().usageMessage();
    }

    /**
     * The page of a command.
     *
     * @param version of the program
     */
    static String of(CommandLine command, String version) {
        return new ManPage(command).render(version);
    }

    /** The page's name, such as beefs-drain. */
    static String name(CommandLine command) {
        return command.getCommandSpec().qualifiedName("-");
    }

    private String render(String version) {
        lines.add(".TH \"%s\" \"%s\" \"\" \"%s\" \"BeeFS\""
                .formatted(name(command).toUpperCase(Locale.ROOT), SECTION, version));
        section("NAME");
        text(name(command) + " - " + Described.summary(command));
        section("SYNOPSIS");
        text(command.getHelp().synopsis(0).strip().replaceAll("\\s+", " "));
        section("DESCRIPTION");
        paragraphs(usage.description());
        commands();
        options();
        exitCodes();
        footer();
        return String.join("\n", lines) + "\n";
    }

    private void commands() {
        if (!command.getSubcommands().isEmpty()) {
            section("COMMANDS");
            command.getSubcommands().forEach((name, each) -> entry(name, Described.summary(each) + "."));
        }
    }

    private void options() {
        List<ArgSpec> all = Stream.<ArgSpec>concat(
                        command.getCommandSpec().positionalParameters().stream(),
                        command.getCommandSpec().options().stream())
                .filter(argument -> !argument.hidden())
                .toList();
        if (!all.isEmpty()) {
            section("OPTIONS");
            all.forEach(argument -> entry(names(argument), formatted(argument.description())));
        }
    }

    private static String names(ArgSpec argument) {
        String label = argument.arity().max() == 0 ? "" : argument.paramLabel();
        return argument instanceof OptionSpec option
                ? (String.join(", ", option.names()) + " " + label).strip()
                : label;
    }

    private void exitCodes() {
        if (!usage.exitCodeList().isEmpty()) {
            section("EXIT STATUS");
            usage.exitCodeList().forEach(this::entry);
        }
    }

    /** What ends with a colon begins a section, whose lines are as they are. */
    private void footer() {
        boolean open = false;
        for (String line : usage.footer()) {
            String shown = formatted(line);
            if (shown.matches("\\w[\\w ]*:")) {
                section(shown.replace(":", "").toUpperCase(Locale.ROOT));
                lines.add(".nf");
                open = true;
            } else if (open || !shown.isBlank()) {
                text(shown.strip());
            }
        }
        if (open) {
            lines.add(".fi");
        }
    }

    private void section(String heading) {
        lines.add(".SH " + heading);
    }

    private void entry(String term, String meaning) {
        lines.add(".TP");
        lines.add("\\fB" + escaped(term) + "\\fR");
        text(meaning);
    }

    private void paragraphs(String... paragraphs) {
        for (String paragraph : paragraphs) {
            if (paragraph.isBlank()) {
                lines.add(".PP");
            } else {
                text(formatted(paragraph));
            }
        }
    }

    private void text(String line) {
        String escaped = escaped(line);
        lines.add(escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped);
    }

    /** As picocli does it with what it shows. */
    private static String formatted(String... texts) {
        return Stream.of(texts).map(text -> text.formatted()).collect(Collectors.joining(" "));
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\e").replace("-", "\\-");
    }
}
