package org.beefs.cli.terminal;

/** A text as one word of a POSIX shell. */
public final class ShellWord {
    private ShellWord() {}

    /** Quoted, whatever is in it. */
    public static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
