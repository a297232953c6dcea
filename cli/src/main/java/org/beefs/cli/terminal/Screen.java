package org.beefs.cli.terminal;

import static java.lang.Character.UnicodeScript.HAN;
import static java.lang.Character.UnicodeScript.HANGUL;
import static java.lang.Character.UnicodeScript.HIRAGANA;
import static java.lang.Character.UnicodeScript.KATAKANA;

import java.lang.Character.UnicodeBlock;
import java.lang.Character.UnicodeScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** How text comes out in the columns of a terminal. */
final class Screen {
    private static final Set<UnicodeScript> WIDE_SCRIPTS = Set.of(HAN, HANGUL, HIRAGANA, KATAKANA);

    private static final Set<UnicodeBlock> WIDE_BLOCKS = Set.of(
            UnicodeBlock.CJK_SYMBOLS_AND_PUNCTUATION,
            UnicodeBlock.BOPOMOFO,
            UnicodeBlock.ENCLOSED_CJK_LETTERS_AND_MONTHS);

    /** Of a block with narrow and wide forms of letters that are otherwise the other. */
    private static final int FIRST_FORM = 0xFF01;

    private static final int LAST_WIDE_FORM = 0xFF60;
    private static final int LAST_FORM = 0xFFEF;

    private Screen() {}

    /** How many columns it takes. */
    static int width(String text) {
        return text.codePoints().map(Screen::width).sum();
    }

    /** The text in pieces that are at most so wide; between words where there are any. */
    static List<String> pieces(String text, int width) {
        List<String> pieces = new ArrayList<>();
        String rest = text;
        while (width(rest) > width) {
            int end = fitting(rest, width);
            int space = rest.charAt(end) == ' ' ? end : rest.lastIndexOf(' ', end - 1);
            int cut = space > 0 ? space : end;
            pieces.add(rest.substring(0, cut));
            rest = rest.substring(cut).stripLeading();
        }
        pieces.add(rest);
        return pieces;
    }

    /** How many characters fit; at least one. */
    private static int fitting(String text, int width) {
        int end = 0;
        int taken = 0;
        while (end < text.length()) {
            int character = text.codePointAt(end);
            taken += width(character);
            if (taken > width && end > 0) {
                return end;
            }
            end += Character.charCount(character);
        }
        return end;
    }

    private static int width(int character) {
        return switch (Character.getType(character)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT, Character.CONTROL -> 0;
            default -> isWide(character) ? 2 : 1;
        };
    }

    private static boolean isWide(int character) {
        if (character >= FIRST_FORM && character <= LAST_FORM) {
            return character <= LAST_WIDE_FORM;
        }
        UnicodeBlock block = UnicodeBlock.of(character);
        return Character.isEmojiPresentation(character)
                || WIDE_SCRIPTS.contains(UnicodeScript.of(character))
                || (block != null && WIDE_BLOCKS.contains(block));
    }
}
