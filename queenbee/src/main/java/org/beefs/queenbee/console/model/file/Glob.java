package org.beefs.queenbee.console.model.file;

import com.google.protobuf.ByteString;
import java.util.Locale;

/**
 * A pattern of names, see {@link Search}. Takes time in proportion to pattern and name, whatever they are. Immutable.
 */
final class Glob {
    private final int[] pattern;

    private Glob(int[] pattern) {
        this.pattern = pattern;
    }

    static Glob of(String text) {
        String whole = text.contains("*") || text.contains("?") ? text : "*" + text + "*";
        return new Glob(letters(whole));
    }

    /** @param utf8 the name */
    boolean matches(ByteString utf8) {
        int[] name = letters(utf8);
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

    /** Nearly all names are ASCII; a million of them are looked at while somebody waits. */
    private static int[] letters(ByteString utf8) {
        int[] letters = new int[utf8.size()];
        for (int i = 0; i < letters.length; i++) {
            byte letter = utf8.byteAt(i);
            if (letter < 0) {
                return letters(utf8.toStringUtf8());
            }
            letters[i] = letter >= 'A' && letter <= 'Z' ? letter + 'a' - 'A' : letter;
        }
        return letters;
    }

    private static int[] letters(String text) {
        return text.toLowerCase(Locale.ROOT).codePoints().toArray();
    }
}
