package org.beefs.common.config;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Changes single settings in the text of a TOML file, and leaves everything else, comments too, as people have written
 * it. It knows tables that begin with a line {@code [table]} and settings that are in one line; whoever uses it reads
 * the result to see whether that was enough.
 */
public final class ConfigurationText {
    private ConfigurationText() {}

    /**
     * The text with another value, or without the setting.
     *
     * @param name table and key, joined by a dot: {@code honeycomb.capacity}
     * @param value null to remove it
     */
    public static String with(String text, String name, @Nullable String value) {
        int dot = name.lastIndexOf('.');
        String table = name.substring(0, dot);
        String key = name.substring(dot + 1);
        List<String> lines = new ArrayList<>(text.lines().toList());
        int begin =
                find(lines, Pattern.compile("\\s*\\[\\s*" + Pattern.quote(table) + "\\s*]\\s*(#.*)?"), 0, lines.size());
        int end = begin < 0 ? -1 : end(lines, begin + 1);
        int at = begin < 0
                ? -1
                : find(lines, Pattern.compile("\\s*\"?" + Pattern.quote(key) + "\"?\\s*=.*"), begin + 1, end);
        if (value == null) {
            if (at >= 0) {
                lines.remove(at);
            }
        } else if (at >= 0) {
            lines.set(at, line(key, value));
        } else if (begin >= 0) {
            lines.add(begin + 1, line(key, value));
        } else {
            lines.add("[" + table + "]");
            lines.add(line(key, value));
        }
        return lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
    }

    private static int find(List<String> lines, Pattern wanted, int from, int to) {
        for (int i = from; i < to; i++) {
            if (wanted.matcher(lines.get(i)).matches()) {
                return i;
            }
        }
        return -1;
    }

    /** Where the next table begins. */
    private static int end(List<String> lines, int from) {
        int next = find(lines, Pattern.compile("\\s*\\[.*"), from, lines.size());
        return next < 0 ? lines.size() : next;
    }

    private static String line(String key, String value) {
        boolean plain = value.matches("-?[1-9][0-9]{0,17}|0|true|false");
        return key + " = " + (plain ? value : quoted(value));
    }

    private static String quoted(String value) {
        StringBuilder quoted = new StringBuilder("\"");
        value.chars().forEach(character -> {
            if (character == '"' || character == '\\') {
                quoted.append('\\').append((char) character);
            } else if (character < ' ' || character == 0x7f) {
                quoted.append("\\u%04x".formatted(character));
            } else {
                quoted.append((char) character);
            }
        });
        return quoted.append('"').toString();
    }
}
