package org.beefs.cli.option;

import org.beefs.honeybee.mount.Driver;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which driver serves a mount, of all commands that mount. */
public final class DriverOption {
    @Option(
            names = "--driver",
            paramLabel = "NAME",
            completionCandidates = Names.class,
            converter = Names.class,
            description =
                    "Who speaks with the kernel: native, rings (the same through io_uring), jnr (through libfuse 2), or automatic "
                            + "for native or, where that does not work, jnr. "
                            + "Default: as it was there before, else as the desktop's setting honeybee.driver says.")
    private @Nullable Driver driver;

    private static final class Names extends Words<Driver> {
        Names() {
            super(Driver.class);
        }
    }

    /** Null where the user has not chosen. */
    @Nullable
    public Driver chosen() {
        return driver;
    }

    /** As a setting has it. */
    @Nullable
    public String word() {
        return driver == null ? null : driver.word();
    }
}
