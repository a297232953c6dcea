package org.beefs.cli.completion;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;

/**
 * What may stand for an argument.
 *
 * @param kind of value
 * @param words that there are, for {@link Kind#WORDS}; otherwise none
 */
record Values(Kind kind, List<String> words) {
    /** Labels of paths that are folders. */
    private static final Set<String> FOLDERS = Set.of("DIR", "FOLDER", "SOURCE");

    /** Label of an argument that is a command of beefs. */
    private static final String COMMAND = "COMMAND";

    enum Kind {
        WORDS,
        FILES,
        FOLDERS,
        /** Nothing that a shell could know. */
        ANYTHING
    }

    /** Of an option or a parameter of a command of beefs. */
    static Values of(ArgSpec argument, CommandLine beefs) {
        if (argument.completionCandidates() != null) {
            List<String> words = new ArrayList<>();
            argument.completionCandidates().forEach(word -> words.add(word.toLowerCase(Locale.ROOT)));
            return new Values(Kind.WORDS, List.copyOf(words));
        }
        if (argument.isPositional() && argument.paramLabel().equals(COMMAND)) {
            return new Values(Kind.WORDS, List.copyOf(beefs.getSubcommands().keySet()));
        }
        boolean path = argument.type() == Path.class || argument.auxiliaryTypes()[0] == Path.class;
        if (!path) {
            return new Values(Kind.ANYTHING, List.of());
        }
        return new Values(FOLDERS.contains(argument.paramLabel()) ? Kind.FOLDERS : Kind.FILES, List.of());
    }
}
