package org.beefs.cli.completion;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Commands and arguments in a few words. */
final class Described {
    private Described() {}

    /** The first sentence about a command. */
    static String summary(CommandLine command) {
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        return firstSentence(usage.header().length == 0 ? usage.description() : usage.header());
    }

    static String summary(ArgSpec argument) {
        return firstSentence(argument.description());
    }

    private static String firstSentence(String... description) {
        String first = description.length == 0 ? "" : description[0].formatted();
        return first.replaceFirst("(?s)[.:] .*|\\.$", "");
    }

    /** Those that users are told of. */
    static List<OptionSpec> options(CommandLine command) {
        return command.getCommandSpec().options().stream()
                .filter(option -> !option.hidden())
                .toList();
    }

    static List<PositionalParamSpec> parameters(CommandLine command) {
        return command.getCommandSpec().positionalParameters().stream()
                .filter(parameter -> !parameter.hidden())
                .toList();
    }

    static boolean takesValue(OptionSpec option) {
        return option.arity().max() > 0;
    }
}
