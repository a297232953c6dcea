package org.beefs.cli.terminal;

/** What the launcher has found about where this process writes. */
public final class Terminal {
    private Terminal() {}

    /** Whether what was asked for goes to a terminal, where it may be drawn again. */
    public static boolean isScreen() {
        return Boolean.getBoolean("beefs.screen");
    }

    /** Whether messages go to one. */
    public static boolean hasMessages() {
        return Boolean.getBoolean("beefs.terminal");
    }

    /** How many columns there are for what was asked for: without a terminal as many as there may be. */
    static int width() {
        return isScreen() ? messageWidth() : Integer.MAX_VALUE;
    }

    /** Likewise for messages. */
    static int messageWidth() {
        return Integer.getInteger("beefs.columns", Integer.MAX_VALUE);
    }
}
