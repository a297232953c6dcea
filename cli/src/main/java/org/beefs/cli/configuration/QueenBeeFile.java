package org.beefs.cli.configuration;

import java.nio.file.Path;
import org.beefs.cli.logging.LogConfig;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.console.ConsoleConfig;

/**
 * All settings of a queen-bee, as its TOML file has them.
 *
 * @param queenbee the queen-bee's own
 * @param console her console's
 * @param log how her log is written
 */
public record QueenBeeFile(QueenBeeConfig queenbee, ConsoleConfig console, LogConfig log) {
    /** Where a queen-bee listens, and is looked for, unless told otherwise. */
    static final int DEFAULT_PORT = 7411;

    /** What holds where file and command line say nothing. */
    public static QueenBeeFile defaults() {
        return new QueenBeeFile(
                QueenBeeConfig.of(QueenBeeConfig.DEFAULT_LISTEN, Path.of("data")),
                ConsoleConfig.defaults(),
                LogConfig.defaults());
    }
}
