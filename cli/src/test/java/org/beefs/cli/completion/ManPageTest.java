package org.beefs.cli.completion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.beefs.cli.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

class ManPageTest {
    /** With what a page must escape. */
    private static CommandLine odd() {
        CommandSpec spec = CommandSpec.create()
                .name("odd")
                .addOption(OptionSpec.builder("-i", "--it")
                        .paramLabel("N")
                        .type(int.class)
                        .defaultValue("7")
                        .description("Default: ${DEFAULT-VALUE}")
                        .build());
        spec.usageMessage()
                .description(".begins with a dot: C:\\x", "", "takes 5 %% of it")
                .exitCodeList(Map.of("0", "fine"))
                .footer("", "Example:", "  odd --it");
        return new CommandLine(spec);
    }

    static Iterable<CommandLine> commands() {
        return Main.commandLine().getSubcommands().values();
    }

    @Test
    void shouldHaveTheSectionsOfManualPages() {
        assertThat(ManPage.of(odd(), "1.0").lines())
                .containsExactly(
                        ".TH \"ODD\" \"1\" \"\" \"1.0\" \"BeeFS\"",
                        ".SH NAME",
                        "odd \\- .begins with a dot",
                        ".SH SYNOPSIS",
                        "odd [\\-i=N]",
                        ".SH DESCRIPTION",
                        "\\&.begins with a dot: C:\\ex",
                        ".PP",
                        "takes 5 % of it",
                        ".SH OPTIONS",
                        ".TP",
                        "\\fB\\-i, \\-\\-it N\\fR",
                        "Default: 7",
                        ".SH EXIT STATUS",
                        ".TP",
                        "\\fB0\\fR",
                        "fine",
                        ".SH EXAMPLE",
                        ".nf",
                        "odd \\-\\-it",
                        ".fi");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldNameEachOptionOfACommand(CommandLine command) {
        String page = ManPage.of(command, "1.0").replace("\\-", "-");

        assertThat(page).contains(".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION", "beefs-" + command.getCommandName());
        assertThat(command.getCommandSpec().options().stream().filter(option -> !option.hidden()))
                .extracting(OptionSpec::longestName)
                .allSatisfy(option -> assertThat(page).contains(option));
    }
}
