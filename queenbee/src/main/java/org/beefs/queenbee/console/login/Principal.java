package org.beefs.queenbee.console.login;

/**
 * Who asks.
 *
 * @param name as events record it
 */
public record Principal(String name, Role role) {
    /** Who may use the control socket: the user that the queen-bee runs as, and root. */
    public static Principal atCommandLine(String user) {
        return new Principal(user + " at the command line", Role.ADMINISTRATOR);
    }
}
