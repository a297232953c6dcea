package org.beefs.cli.terminal;

import org.jspecify.annotations.Nullable;

/**
 * What the launcher has found about where this process writes. What is written to a terminal without control sequences,
 * as Emacs has one, is never drawn again.
 */
public final class Terminal {
    private static final String SCREEN = "beefs.screen";

    private Terminal() {}

    /** Whether what was asked for goes to a terminal, where it may be drawn again. */
    public static boolean isScreen() {
        return draws(SCREEN, System.getenv("TERM"));
    }

    /** Whether messages go to one. */
    public static boolean hasMessages() {
        return draws("beefs.terminal", System.getenv("TERM"));
    }

    static boolean draws(String property, @Nullable String kind) {
        return Boolean.getBoolean(property) && !"dumb".equals(kind);
    }

    /** How many columns there are for what was asked for: without a terminal as many as there may be. */
    static int width() {
        return Boolean.getBoolean(SCREEN) ? messageWidth() : Integer.MAX_VALUE;
    }

    /** Likewise for messages. */
    static int messageWidth() {
        return Integer.getInteger("beefs.columns", Integer.MAX_VALUE);
    }
}
