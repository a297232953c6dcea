package org.beefs.cli.queen;

import java.util.Map;
import org.beefs.cli.view.Output;
import org.beefs.queenbee.console.api.Api;
import org.beefs.queenbee.console.api.Messages.ConsoleInfo;
import org.beefs.queenbee.console.api.Messages.NewPassword;
import org.beefs.queenbee.console.api.Messages.NewRole;
import org.beefs.queenbee.console.login.Role;
import org.jspecify.annotations.Nullable;

/**
 * How to get into the web console.
 *
 * @param address null if it is off
 * @param made the account that was made just now; null if none was
 */
public record ConsoleLogin(
        @Nullable String address, @Nullable NewPassword made) {
    static final String FIRST_ACCOUNT = "admin";

    static final String OFF = "The console is off: console.listen says so, or the queen-bee's log says why.";

    /** Makes the first account if there is none. */
    public static ConsoleLogin of(RunningQueenBee queenBee) {
        ConsoleInfo info = queenBee.get("/console", Map.of(), ConsoleInfo.class);
        boolean first = info.address() != null && info.accounts() == 0;
        return new ConsoleLogin(info.address(), first ? newPassword(queenBee, FIRST_ACCOUNT, null) : null);
    }

    /**
     * Makes an account, or gives it another password.
     *
     * @param role null for the one that it has; a new one is an administrator then
     */
    static NewPassword newPassword(RunningQueenBee queenBee, String account, @Nullable Role role) {
        NewRole wanted = new NewRole(role == null ? null : role.word(), Role.ADMINISTRATOR.word());
        return queenBee.call("PUT", "/accounts/" + Api.encoded(account), Map.of(), wanted, NewPassword.class);
    }

    /** A password is shown in any case: the one before is worth nothing any more. */
    public void show(Output output) {
        if (address == null && made == null) {
            return;
        }
        output.say(address == null ? OFF : "The console is at " + address);
        if (made != null) {
            output.say(
                    "Log in as %s with the password %s (shown this once; beefs console --new-password makes another)."
                            .formatted(made.name(), made.password()));
        }
        output.say("");
    }
}
