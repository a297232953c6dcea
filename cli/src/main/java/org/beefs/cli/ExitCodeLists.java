package org.beefs.cli;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** What the help says of exit codes. */
final class ExitCodeLists {
    private ExitCodeLists() {}

    /** Of all commands that tell theirs: what any can end with, in one place. */
    static void complete(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        Map<String, String> own = spec.usageMessage().exitCodeList();
        if (!own.isEmpty()) {
            Map<String, String> all = new TreeMap<>(Comparator.comparingInt(ExitCodeLists::first));
            all.putAll(own);
            all.putIfAbsent(Integer.toString(spec.exitCodeOnInvalidInput()), "the command line is wrong");
            spec.usageMessage().exitCodeList(all);
        }
        command.getSubcommands().values().forEach(ExitCodeLists::complete);
    }

    /** Some are told together, with commas between. */
    private static int first(String codes) {
        return Integer.parseInt(codes.split(",", 2)[0]);
    }
}
