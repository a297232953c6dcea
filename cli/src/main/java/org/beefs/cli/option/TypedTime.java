package org.beefs.cli.option;

import java.time.Duration;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.Reasons;
import org.beefs.common.config.Durations;

/** A time as somebody has typed it, such as 30m. */
public final class TypedTime {
    private TypedTime() {}

    /**
     * Reads it; it is longer than nothing.
     *
     * @param what it is, as the help names it
     * @param bounds what to say to somebody who keeps to no bounds
     */
    public static Duration parse(String what, String text, Duration longest, String bounds) {
        try {
            Duration parsed = Durations.parse(text);
            if (parsed.isPositive() && parsed.compareTo(longest) <= 0) {
                return parsed;
            }
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, what + ": " + Reasons.of(e));
        }
        throw new CommandFailure(ExitCode.USAGE, bounds);
    }
}
