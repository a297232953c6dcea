package org.beefs.cli.logging;

/**
 * How a role's log is written.
 *
 * @param form "plain" for people, or "json" for programs that collect logs: an object in each line
 */
public record LogConfig(String form) {
    private static final String PLAIN = "plain";
    private static final String JSON = "json";

    public LogConfig {
        if (!form.equals(PLAIN) && !form.equals(JSON)) {
            throw new IllegalArgumentException("form is \"plain\" or \"json\", not \"%s\"".formatted(form));
        }
    }

    public static LogConfig defaults() {
        return new LogConfig(PLAIN);
    }

    boolean isJson() {
        return form.equals(JSON);
    }
}
