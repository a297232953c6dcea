package org.beefs.queenbee.console.login;

import org.jspecify.annotations.Nullable;

/**
 * Who asks.
 *
 * @param name as events record it
 * @param account whose right that is; null at the command line, and where it is not known
 * @param session in which he has logged in; null for scripts and commands
 */
public record Principal(
        String name,
        Role role,
        @Nullable String account,
        @Nullable WebSession session) {
    public Principal(String name, Role role) {
        this(name, role, null, null);
    }

    /** Who may use the control socket: the user that the queen-bee runs as, and root. */
    public static Principal atCommandLine(String user) {
        return new Principal(user + " at the command line", Role.ADMINISTRATOR);
    }
}
