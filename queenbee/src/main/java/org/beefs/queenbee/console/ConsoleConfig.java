package org.beefs.queenbee.console;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import org.beefs.common.config.Addresses;

/**
 * Settings of the console.
 *
 * @param listen where it listens, as host:port, or {@code off}. Port 0 takes a free one; if the default address is
 *     taken, another one of this machine's own takes its place
 * @param session who does nothing for so long is logged out
 */
public record ConsoleConfig(String listen, Duration session) {
    private static final String DEFAULT_ADDRESS = "127.0.0.1:7070";
    private static final Duration LONGEST_SESSION = Duration.ofHours(12);

    public ConsoleConfig {
        if (session.isNegative() || session.isZero() || session.compareTo(LONGEST_SESSION) > 0) {
            throw new IllegalArgumentException("session must be more than nothing, and at most 12h");
        }
        Addresses.checkUnlessOff("listen", listen);
    }

    public static ConsoleConfig defaults() {
        return new ConsoleConfig(DEFAULT_ADDRESS, Duration.ofMinutes(30));
    }

    /**
     * Whether it may listen at another address where its own is taken. Whoever has chosen an address goes there, and
     * would show a password to who has taken it.
     */
    public boolean mayMove() {
        return listen.equals(DEFAULT_ADDRESS);
    }

    /** Where it listens; nothing if it is off. */
    public Optional<InetSocketAddress> address() {
        return Addresses.parseUnlessOff(listen);
    }
}
