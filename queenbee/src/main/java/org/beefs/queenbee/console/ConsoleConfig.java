package org.beefs.queenbee.console;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import org.beefs.common.config.Addresses;

/**
 * Settings of the console.
 *
 * @param listen where it listens, as host:port, or {@code off}. If the port is taken it takes a free one of that host;
 *     port 0 always does
 * @param session who does nothing for so long is logged out
 */
public record ConsoleConfig(String listen, Duration session) {
    private static final Duration LONGEST_SESSION = Duration.ofHours(12);

    public ConsoleConfig {
        if (session.isNegative() || session.isZero() || session.compareTo(LONGEST_SESSION) > 0) {
            throw new IllegalArgumentException("a session lasts longer than nothing, and at most 12h");
        }
        Addresses.checkUnlessOff("listen", listen);
    }

    public static ConsoleConfig defaults() {
        return new ConsoleConfig("127.0.0.1:7070", Duration.ofMinutes(30));
    }

    /** Where it listens; nothing if it is off. */
    public Optional<InetSocketAddress> address() {
        return Addresses.parseUnlessOff(listen);
    }
}
