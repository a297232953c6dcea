package org.beefs.cli.view;

import java.nio.file.Path;
import java.util.regex.Pattern;
import org.beefs.cli.terminal.ShellWord;
import org.jspecify.annotations.Nullable;

/**
 * What somebody may try whose hive is up, as lines for a shell.
 *
 * @param mount where the hive is mounted; null if that is unknown
 * @param state the state folder; null for the one that commands use anyhow
 * @param secondIsFree desktop2 runs here, and has no mount yet
 * @param hasRoom something can be stored
 */
public record Suggestions(@Nullable Path mount, @Nullable Path state, boolean secondIsFree, boolean hasRoom) {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./+:@%,=-]+");

    public String render() {
        String hive = mount == null ? "DIR" : word(mount);
        String option = state == null ? "" : " --state " + word(state);
        return """
                Try:
                %1$s%2$s  ./beefs status%3$s
                  ./beefs down%3$s     stops it all; the next up finds the files again""".formatted(copy(hive), another(option), option);
    }

    private String copy(String hive) {
        return hasRoom ? "  cp -r /usr/include %1$s && ls %1$s\n".formatted(hive) : "";
    }

    private String another(String option) {
        return secondIsFree
                ? "  ./beefs mount hive2 --desktop desktop2%s     the same files through another desktop\n"
                        .formatted(option)
                : "";
    }

    /** Of a shell, which would take a path with blanks for several. */
    private static String word(Path path) {
        String text = path.toString();
        return PLAIN.matcher(text).matches() ? text : ShellWord.quoted(text);
    }
}
