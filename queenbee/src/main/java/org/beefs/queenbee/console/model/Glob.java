package org.beefs.queenbee.console.model;

import java.util.Locale;

/** A pattern of names, see {@link Search}. Takes time in proportion to pattern and name, whatever they are. Immutable. */
final class Glob {
    private final int[] pattern;

    private Glob(int[] pattern) {
        this.pattern = pattern;
    }

    static Glob of(String text) {
        String whole = text.contains("*") || text.contains("?") ? text : "*" + text + "*";
        return new Glob(letters(whole));
    }

    boolean matches(String text) {
        int[] name = letters(text);
        int at = 0;
        int in = 0;
        int star = -1;
        int afterStar = 0;
        while (in < name.length) {
            if (at < pattern.length && pattern[at] == '*') {
                star = at++;
                afterStar = in;
            } else if (at < pattern.length && (pattern[at] == '?' || pattern[at] == name[in])) {
                at++;
                in++;
            } else if (star >= 0) {
                at = star + 1; // the last star takes one letter more; earlier ones need no other
                in = ++afterStar;
            } else {
                return false;
            }
        }
        while (at < pattern.length && pattern[at] == '*') {
            at++;
        }
        return at == pattern.length;
    }

    private static int[] letters(String text) {
        return text.toLowerCase(Locale.ROOT).codePoints().toArray();
    }
}
