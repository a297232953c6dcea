package org.beefs.queenbee.console.login;

/**
 * Who asks.
 *
 * @param name as events record it
 */
public record Principal(String name, Role role) {
    /** Whoever may use the control socket: the user that the queen-bee runs as. */
    public static final Principal COMMAND_LINE = new Principal("command line", Role.ADMINISTRATOR);
}
