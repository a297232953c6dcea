package org.beefs.integration.manual;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.beefs.integration.program.Folders;

/** {@code docs/OPERATIONS.md}. Immutable. */
public final class Manual {
    private static final Pattern BLOCK = Pattern.compile("(?m)^```(.+)\n((?s:.*?))^```$");

    private static final Pattern FIRST_CELL = Pattern.compile("(?m)^\\| (`[^|]+`) \\|");
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
    private static final Pattern WARNINGS = Pattern.compile("(?s)## What warnings mean\n(.*?)Of the logs(.*?)\n## ");

    private final String text;

    private Manual(String text) {
        this.text = text;
    }

    public static Manual read() {
        try {
            return new Manual(Files.readString(Folders.repository().resolve("docs/OPERATIONS.md")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A block between fences.
     *
     * @param language sh for commands, otherwise it is a file
     * @param place whose it is: server, desktops for each of them, or one's name
     * @param file its name; empty for commands
     */
    public record Block(String language, String place, String file, String text) {
        static Block of(MatchResult match) {
            List<String> words = List.of(match.group(1).split(" "));
            boolean file = words.size() == 4 && !words.getFirst().equals("sh");
            boolean commands = words.size() == 3 && words.getFirst().equals("sh");
            if (!(file || commands) || !words.get(1).equals("test")) {
                throw new IllegalArgumentException("nobody runs the block that begins with " + match.group());
            }
            return new Block(words.getFirst(), words.get(2), file ? words.get(3) : "", match.group(2));
        }

        public boolean isCommands() {
            return file.isEmpty();
        }
    }

    /** All blocks, in their order. */
    public List<Block> blocks() {
        return BLOCK.matcher(text).results().map(Block::of).toList();
    }

    /** What the tables say that the console and {@code beefs status} say. */
    List<String> remarks() {
        return quoted(warnings().group(1));
    }

    /** What they say that logs say. */
    List<String> logLines() {
        return quoted(warnings().group(2));
    }

    private Matcher warnings() {
        Matcher found = WARNINGS.matcher(text);
        if (!found.find()) {
            throw new AssertionError("the manual has no warnings");
        }
        return found;
    }

    private static List<String> quoted(String part) {
        return FIRST_CELL
                .matcher(part)
                .results()
                .flatMap(row -> QUOTED.matcher(row.group(1)).results())
                .map(quoted -> quoted.group(1))
                .toList();
    }
}
