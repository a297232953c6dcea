package org.beefs.queenbee.journal;

import java.io.IOException;

/** The state cannot be used. The message says what is wrong and what to do about it. */
public final class StateException extends IOException {
    /** The advice when the state is lost. */
    public static final String RESTORE =
            "move the state's folder away and rebuild it from the honeycombs: with the unit beefs-recovery, as 'Rebuilding the queen-bee' in"
                    + " docs/OPERATIONS.md has it, or, for a hive made by up, with  beefs recover";

    /** How what only honeycombs know is given up on purpose, when the state is older: she says so while she runs. */
    public static final String GIVE_UP =
            "write  accept-older-state = true  into the table [queenbee] of her queenbee.toml, start her again, and take it out when all"
                    + " desktops are there";

    private static final long serialVersionUID = 1L;

    public StateException(String message) {
        super(message);
    }

    public StateException(String message, Throwable cause) {
        super(message, cause);
    }
}
