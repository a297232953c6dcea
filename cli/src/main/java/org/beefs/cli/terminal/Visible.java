package org.beefs.cli.terminal;

/** Text from elsewhere as a terminal may show it. */
public final class Visible {
    private Visible() {}

    /** Control characters, with which a file's name could command the terminal, become question marks. */
    public static String of(String text) {
        return text.codePoints()
                .map(character -> Character.isISOControl(character) || Character.getType(character) == Character.FORMAT
                        ? '?'
                        : character)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
