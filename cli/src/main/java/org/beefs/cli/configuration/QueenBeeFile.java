package org.beefs.cli.configuration;

import java.nio.file.Path;
import java.time.Duration;
import org.beefs.cli.logging.LogConfig;
import org.beefs.common.config.Durations;
import org.beefs.common.rpc.Reconnector;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.console.ConsoleConfig;

/**
 * All settings of a queen-bee, as its TOML file has them. Refused is also what she could work with, but not her
 * desktops.
 *
 * @param queenbee the queen-bee's own
 * @param console her console's
 * @param log how her log is written
 */
public record QueenBeeFile(QueenBeeConfig queenbee, ConsoleConfig console, LogConfig log) {
    /** Where a queen-bee listens, and is looked for, unless told otherwise. */
    static final int DEFAULT_PORT = 7411;

    /**
     * A desktop waits for 10 s for one answer. A request that waits for another desktop is answered after 3 s and a
     * heartbeat.
     */
    private static final Duration LONGEST_HEARTBEAT = Duration.ofSeconds(5);

    /** For so long a request may wait until others have let go of what they cache, likewise. */
    private static final Duration LONGEST_RECALL = Duration.ofSeconds(8);

    /** As many requests as one desktop may have waiting. */
    private static final int LEAST_PARKED = RpcConnection.MAX_SERVED / 2;

    public QueenBeeFile {
        checkMost("heartbeat", queenbee.heartbeat(), LONGEST_HEARTBEAT);
        checkMost("recall-timeout", queenbee.recallTimeout(), LONGEST_RECALL);
        checkLeast("max-parked", queenbee.maxParked(), LEAST_PARKED);
        checkLeast("max-queued", queenbee.maxQueued(), Reconnector.MAX_CALLS);
        checkLeast("max-answers", queenbee.maxAnswers(), Reconnector.MAX_CALLS);
    }

    /** What holds where file and command line say nothing. */
    public static QueenBeeFile defaults() {
        return new QueenBeeFile(
                QueenBeeConfig.of(QueenBeeConfig.DEFAULT_LISTEN, Path.of("data")),
                ConsoleConfig.defaults(),
                LogConfig.defaults());
    }

    private static void checkMost(String key, Duration value, Duration most) {
        if (value.compareTo(most) > 0) {
            throw refused(key, "may be %s at most".formatted(Durations.format(most)));
        }
    }

    private static void checkLeast(String key, int value, int least) {
        if (value < least) {
            throw refused(key, "must be %d at least".formatted(least));
        }
    }

    private static IllegalArgumentException refused(String key, String bound) {
        return new IllegalArgumentException(
                "[queenbee] %s %s: desktops would cut their connections again and again".formatted(key, bound));
    }
}
