package org.beefs.integration.program;

import java.util.List;

/**
 * How a program ended.
 *
 * @param command with its arguments
 * @param exitCode 128 + signal for a killed one
 * @param output what it wrote to standard output
 * @param errors what it wrote to standard error
 */
public record Result(List<String> command, int exitCode, String output, String errors) {
    private static final int SHOWN_CHARACTERS = 4_000;

    public boolean succeeded() {
        return exitCode == 0;
    }

    /** Returns this, or fails with all there is to know. */
    public Result mustSucceed() {
        if (!succeeded()) {
            throw new AssertionError(toString());
        }
        return this;
    }

    @Override
    public String toString() {
        return String.join(" ", command) + " ended with " + exitCode + "\n--- output\n" + tail(output)
                + "\n--- errors\n" + tail(errors);
    }

    private static String tail(String text) {
        return text.length() <= SHOWN_CHARACTERS ? text : "…" + text.substring(text.length() - SHOWN_CHARACTERS);
    }
}
