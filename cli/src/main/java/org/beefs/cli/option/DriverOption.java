package org.beefs.cli.option;

import java.util.Iterator;
import java.util.stream.Stream;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.honeybee.fuse.Driver;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which driver serves a mount, of all commands that mount. */
public final class DriverOption {
    @Option(
            names = "--driver",
            paramLabel = "NAME",
            completionCandidates = Names.class,
            description =
                    "Who speaks with the kernel: native, rings (the same through io_uring), jnr (through libfuse 2), or automatic "
                            + "for native or, where that does not work, jnr. "
                            + "Default: as it was there before, else as the desktop's setting honeybee.driver says.")
    private @Nullable String name;

    /** For completion. */
    private static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Stream.of(Driver.values()).map(Driver::word).iterator();
        }
    }

    /** Null where the user has not chosen. */
    @Nullable
    public Driver chosen() {
        try {
            return name == null ? null : Driver.of(name);
        } catch (IllegalArgumentException unknown) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(unknown.getMessage()));
        }
    }

    /** As a setting has it. */
    @Nullable
    public String word() {
        Driver driver = chosen();
        return driver == null ? null : driver.word();
    }
}
